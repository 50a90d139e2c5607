-- Names that SQL reserves, that differ only in case, and that need quotes.
CREATE TABLE "user" (id integer PRIMARY KEY, "group" text, "limit" integer);
CREATE TABLE "Order" (
  "ID" serial PRIMARY KEY,
  "select" text NOT NULL,
  "Select" integer,
  "two words" numeric(10, 2),
  "it's ""quoted""" date,
  "user" integer REFERENCES "user",
  "parent ID" integer REFERENCES "Order"
);
CREATE TABLE "order" (id integer PRIMARY KEY, "from" text, "Order" integer REFERENCES "Order" ("ID"));
CREATE TABLE "ORDER LINE" (
  "Order" integer NOT NULL REFERENCES "Order" ("ID") ON DELETE CASCADE,
  "position" smallint NOT NULL,
  "table" text,
  PRIMARY KEY ("Order", "position")
);
CREATE TABLE "select" ("Key" varchar(10) PRIMARY KEY, "where" boolean, "größe" double precision);
CREATE TABLE "user likes order" (
  "user" integer NOT NULL REFERENCES "user",
  "Order" integer NOT NULL REFERENCES "Order" ("ID"),
  PRIMARY KEY ("user", "Order")
);
CREATE TABLE "user sees order" (
  "user" integer NOT NULL REFERENCES "user",
  "Order" integer NOT NULL REFERENCES "Order" ("ID"),
  "when" date NOT NULL,
  PRIMARY KEY ("user", "Order")
);

INSERT INTO "user" VALUES (1, 'all', 5), (2, 'none', NULL);
INSERT INTO "Order" ("select", "Select", "two words", "user") VALUES ('first', 1, 2.5, 1), ('second', 2, 3.5, 2);
UPDATE "Order" SET "parent ID" = 1 WHERE "ID" = 2;
INSERT INTO "order" VALUES (1, 'here', 1), (2, 'there', 2);
INSERT INTO "ORDER LINE" VALUES (1, 1, 'a'), (1, 2, 'b'), (2, 1, 'c');
INSERT INTO "select" VALUES ('k', true, 1.5), ('l', false, NULL);
INSERT INTO "user likes order" VALUES (1, 2);
INSERT INTO "user sees order" VALUES (1, 2, '2026-02-03'), (2, 2, '2026-02-04');
