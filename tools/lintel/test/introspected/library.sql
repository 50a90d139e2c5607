-- Names that get in each other's way, several references to one table, trees, partitions, inheritance, other schemas.
CREATE SCHEMA elsewhere;
CREATE TABLE elsewhere.place (id integer PRIMARY KEY);

CREATE TABLE person (id uuid PRIMARY KEY, "firstName" varchar(50), "select" text, place_id integer REFERENCES elsewhere.place);
CREATE TABLE people (id uuid PRIMARY KEY, first_name varchar(50), "first-name" text, "2nd" text, "größe" integer);
CREATE TABLE "Index" (id uuid PRIMARY KEY);
CREATE TABLE enums (id uuid PRIMARY KEY, kind text CHECK (kind = ANY (ARRAY['x', 'X'])));
CREATE TABLE string (id uuid PRIMARY KEY, "order" integer);

CREATE TABLE node (
  id uuid PRIMARY KEY,
  parent_id uuid REFERENCES node,
  twin uuid REFERENCES node,
  version integer NOT NULL,
  created_date timestamp(3),
  created_by varchar(255),
  last_modified_date timestamp(3),
  last_modified_by varchar(255),
  deleted_date timestamp(3),
  deleted_by varchar(255)
);
CREATE TABLE transfer (
  id uuid PRIMARY KEY,
  version integer NOT NULL,
  from_node uuid NOT NULL REFERENCES node ON DELETE CASCADE,
  to_node uuid NOT NULL REFERENCES node ON DELETE CASCADE,
  created_at timestamp NOT NULL DEFAULT now(),
  created_by text NOT NULL,
  updated_at timestamp,
  modified_by varchar(40),
  node uuid,
  CHECK (from_node <> to_node)
);
CREATE TABLE friends (
  one uuid NOT NULL REFERENCES person,
  other uuid NOT NULL REFERENCES person,
  PRIMARY KEY (one, other)
);
CREATE TABLE key_parts (id integer, key integer, "primaryKey" text, PRIMARY KEY (id, key));
CREATE TABLE tenants (id bigint PRIMARY KEY);
CREATE TABLE desks (tenant integer, number integer, PRIMARY KEY (tenant, number));
CREATE TABLE moves (
  id uuid PRIMARY KEY,
  tenant integer NOT NULL,
  from_number integer,
  to_number integer NOT NULL,
  created_by uuid REFERENCES person,
  FOREIGN KEY (tenant, from_number) REFERENCES desks ON DELETE SET NULL,
  FOREIGN KEY (tenant, to_number) REFERENCES desks,
  CONSTRAINT moves_again FOREIGN KEY (to_number, tenant) REFERENCES desks (number, tenant),
  CONSTRAINT moves_tenant FOREIGN KEY (tenant) REFERENCES tenants,
  UNIQUE (tenant, from_number),
  UNIQUE (tenant, to_number, created_by)
);
CREATE INDEX moves_to ON moves (to_number);
CREATE TABLE profile (person_id uuid PRIMARY KEY REFERENCES person ON DELETE CASCADE, text text);
CREATE TABLE booking (
  id uuid PRIMARY KEY,
  room integer NOT NULL,
  during tsrange NOT NULL,
  EXCLUDE USING gist (during WITH &&)
);
CREATE INDEX booking_hash ON booking USING hash (room);
CREATE INDEX booking_desc ON booking (room DESC);

CREATE TABLE measure (id bigint, taken date, value double precision, PRIMARY KEY (id, taken)) PARTITION BY RANGE (taken);
CREATE TABLE measure_2026 PARTITION OF measure FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
CREATE TABLE special (PRIMARY KEY (id), more text) INHERITS (person);
CREATE MATERIALIZED VIEW names AS SELECT id, "firstName" FROM person;
CREATE UNIQUE INDEX names_id ON names (id);

-- Views whose rows are those of one table, and views whose rows nothing identifies.
CREATE VIEW node_roots AS SELECT id, version, created_date FROM node WHERE parent_id IS NULL;
CREATE VIEW strings AS SELECT id FROM string;
CREATE VIEW node_twins AS SELECT twin AS id, id AS node FROM node;
CREATE VIEW node_pairs AS SELECT n.id, t.version FROM node n JOIN node t ON t.id = n.twin;
CREATE VIEW node_versions AS SELECT version, count(*) AS nodes FROM node GROUP BY version;
CREATE VIEW node_distinct AS SELECT DISTINCT id FROM node;
CREATE VIEW notes AS SELECT id, text FROM (SELECT person_id AS id, text FROM profile) p;
CREATE FUNCTION note_added() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
CREATE TRIGGER note_added INSTEAD OF INSERT OR UPDATE OR DELETE ON notes FOR EACH ROW EXECUTE FUNCTION note_added();
CREATE MATERIALIZED VIEW node_count AS SELECT count(*) AS nodes FROM node WITH NO DATA;
CREATE TABLE log (id integer, key text, at timestamptz NOT NULL DEFAULT now(), person_id uuid REFERENCES person);
CREATE TABLE instant (at timestamptz PRIMARY KEY, "values" numeric(5, 2));
CREATE TABLE tariff (active boolean, at timestamp(3) with time zone, hour time(0), amount integer, PRIMARY KEY (active, at, hour));
CREATE TABLE instant_note (id uuid PRIMARY KEY, at timestamptz REFERENCES instant);

-- What the database does by itself.
CREATE FUNCTION stamp() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
CREATE TRIGGER node_stamp BEFORE UPDATE ON node FOR EACH ROW EXECUTE FUNCTION stamp();
CREATE RULE friends_forever AS ON DELETE TO friends DO INSTEAD NOTHING;
CREATE POLICY own_profile ON profile FOR SELECT USING (true);
ALTER TABLE friends ADD CHECK (one <> other);
CREATE INDEX friends_both ON friends (other, one);
