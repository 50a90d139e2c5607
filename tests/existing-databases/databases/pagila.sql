-- The structure of a shop that lends films, as the sample database Pagila has it. The rows are made up.
CREATE TYPE mpaa_rating AS ENUM ('G', 'PG', 'PG-13', 'R', 'NC-17');
CREATE DOMAIN year AS integer CHECK (VALUE >= 1901 AND VALUE <= 2155);

CREATE FUNCTION last_updated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.last_update = CURRENT_TIMESTAMP;
  RETURN NEW;
END $$;

CREATE TABLE actor (
  actor_id serial PRIMARY KEY,
  first_name text NOT NULL,
  last_name text NOT NULL,
  last_update timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX idx_actor_last_name ON actor (last_name);

CREATE TABLE category (
  category_id serial PRIMARY KEY,
  name text NOT NULL,
  last_update timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE language (
  language_id serial PRIMARY KEY,
  name character(20) NOT NULL,
  last_update timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE film (
  film_id serial PRIMARY KEY,
  title text NOT NULL,
  description text,
  release_year year,
  language_id integer NOT NULL REFERENCES language ON UPDATE CASCADE ON DELETE RESTRICT,
  original_language_id integer REFERENCES language ON UPDATE CASCADE ON DELETE RESTRICT,
  rental_duration smallint NOT NULL DEFAULT 3,
  rental_rate numeric(4, 2) NOT NULL DEFAULT 4.99,
  length smallint,
  replacement_cost numeric(5, 2) NOT NULL DEFAULT 19.99,
  rating mpaa_rating DEFAULT 'G',
  last_update timestamptz NOT NULL DEFAULT now(),
  special_features text[],
  fulltext tsvector NOT NULL
);
CREATE INDEX film_fulltext_idx ON film USING gist (fulltext);
CREATE INDEX idx_title ON film (title);
CREATE INDEX idx_fk_language_id ON film (language_id);
CREATE INDEX idx_fk_original_language_id ON film (original_language_id);
CREATE TRIGGER film_fulltext_trigger BEFORE INSERT OR UPDATE ON film
  FOR EACH ROW EXECUTE FUNCTION tsvector_update_trigger('fulltext', 'pg_catalog.english', 'title', 'description');
CREATE TRIGGER last_updated BEFORE UPDATE ON film FOR EACH ROW EXECUTE FUNCTION last_updated();

CREATE TABLE film_actor (
  actor_id integer NOT NULL REFERENCES actor ON UPDATE CASCADE ON DELETE RESTRICT,
  film_id integer NOT NULL REFERENCES film ON UPDATE CASCADE ON DELETE RESTRICT,
  last_update timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (actor_id, film_id)
);
CREATE INDEX idx_fk_film_id ON film_actor (film_id);

CREATE TABLE film_category (
  film_id integer NOT NULL REFERENCES film ON UPDATE CASCADE ON DELETE RESTRICT,
  category_id integer NOT NULL REFERENCES category ON UPDATE CASCADE ON DELETE RESTRICT,
  last_update timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (film_id, category_id)
);

CREATE TABLE country (
  country_id serial PRIMARY KEY,
  country text NOT NULL,
  last_update timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE city (
  city_id serial PRIMARY KEY,
  city text NOT NULL,
  country_id integer NOT NULL REFERENCES country ON UPDATE CASCADE ON DELETE RESTRICT,
  last_update timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX idx_fk_country_id ON city (country_id);

CREATE TABLE address (
  address_id serial PRIMARY KEY,
  address text NOT NULL,
  address2 text,
  district text NOT NULL,
  city_id integer NOT NULL REFERENCES city ON UPDATE CASCADE ON DELETE RESTRICT,
  postal_code text,
  phone text NOT NULL,
  last_update timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX idx_fk_city_id ON address (city_id);

CREATE TABLE store (
  store_id serial PRIMARY KEY,
  manager_staff_id integer NOT NULL,
  address_id integer NOT NULL REFERENCES address ON UPDATE CASCADE ON DELETE RESTRICT,
  last_update timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX idx_unq_manager_staff_id ON store (manager_staff_id);

CREATE TABLE staff (
  staff_id serial PRIMARY KEY,
  first_name text NOT NULL,
  last_name text NOT NULL,
  address_id integer NOT NULL REFERENCES address ON UPDATE CASCADE ON DELETE RESTRICT,
  email text,
  store_id integer NOT NULL REFERENCES store,
  active boolean NOT NULL DEFAULT true,
  username text NOT NULL,
  password text,
  last_update timestamptz NOT NULL DEFAULT now(),
  picture bytea
);
ALTER TABLE store ADD CONSTRAINT store_manager_staff_id_fkey FOREIGN KEY (manager_staff_id)
  REFERENCES staff ON UPDATE CASCADE ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED;

CREATE TABLE customer (
  customer_id serial PRIMARY KEY,
  store_id integer NOT NULL REFERENCES store ON UPDATE CASCADE ON DELETE RESTRICT,
  first_name text NOT NULL,
  last_name text NOT NULL,
  email text,
  address_id integer NOT NULL REFERENCES address ON UPDATE CASCADE ON DELETE RESTRICT,
  activebool boolean NOT NULL DEFAULT true,
  create_date date NOT NULL DEFAULT CURRENT_DATE,
  last_update timestamptz DEFAULT now(),
  active integer
);
CREATE INDEX idx_fk_store_id ON customer (store_id);
CREATE INDEX idx_last_name ON customer (last_name);

CREATE TABLE inventory (
  inventory_id serial PRIMARY KEY,
  film_id integer NOT NULL REFERENCES film ON UPDATE CASCADE ON DELETE RESTRICT,
  store_id integer NOT NULL REFERENCES store ON UPDATE CASCADE ON DELETE RESTRICT,
  last_update timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX idx_store_id_film_id ON inventory (store_id, film_id);

CREATE TABLE rental (
  rental_id serial PRIMARY KEY,
  rental_date timestamptz NOT NULL,
  inventory_id integer NOT NULL REFERENCES inventory ON UPDATE CASCADE ON DELETE RESTRICT,
  customer_id integer NOT NULL REFERENCES customer ON UPDATE CASCADE ON DELETE RESTRICT,
  return_date timestamptz,
  staff_id integer NOT NULL REFERENCES staff ON UPDATE CASCADE ON DELETE RESTRICT,
  last_update timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX idx_unq_rental ON rental (rental_date, inventory_id, customer_id);

CREATE TABLE payment (
  payment_id serial,
  customer_id integer NOT NULL REFERENCES customer,
  staff_id integer NOT NULL REFERENCES staff,
  rental_id integer NOT NULL REFERENCES rental,
  amount numeric(5, 2) NOT NULL,
  payment_date timestamptz NOT NULL,
  PRIMARY KEY (payment_date, payment_id)
) PARTITION BY RANGE (payment_date);
CREATE TABLE payment_p2026_01 PARTITION OF payment FOR VALUES FROM ('2026-01-01 00:00+00') TO ('2026-02-01 00:00+00');
CREATE TABLE payment_p2026_02 PARTITION OF payment FOR VALUES FROM ('2026-02-01 00:00+00') TO ('2026-03-01 00:00+00');

CREATE VIEW customer_list AS
  SELECT c.customer_id AS id, c.first_name || ' ' || c.last_name AS name, a.address, a.postal_code AS "zip code",
    a.phone, ci.city, co.country, CASE WHEN c.activebool THEN 'active' ELSE '' END AS notes, c.store_id AS sid
  FROM customer c JOIN address a USING (address_id) JOIN city ci USING (city_id) JOIN country co USING (country_id);
CREATE VIEW staff_list AS
  SELECT s.staff_id AS id, s.first_name || ' ' || s.last_name AS name, a.address, s.store_id AS sid
  FROM staff s JOIN address a USING (address_id);
CREATE VIEW film_list AS
  SELECT f.film_id AS fid, f.title, f.description, c.name AS category, f.rental_rate AS price, f.length, f.rating
  FROM film f LEFT JOIN film_category USING (film_id) LEFT JOIN category c USING (category_id);
CREATE MATERIALIZED VIEW rental_by_category AS
  SELECT c.name AS category, sum(p.amount) AS total_sales
  FROM payment p JOIN rental USING (rental_id) JOIN inventory USING (inventory_id)
    JOIN film_category USING (film_id) JOIN category c USING (category_id)
  GROUP BY c.name WITH NO DATA;
CREATE UNIQUE INDEX rental_category ON rental_by_category (category);
CREATE VIEW active_customer AS SELECT customer_id, first_name, last_name, email FROM customer WHERE activebool;

INSERT INTO language (name) VALUES ('English'), ('Finnish');
INSERT INTO category (name) VALUES ('Drama'), ('Comedy');
INSERT INTO actor (first_name, last_name) VALUES ('Mira', 'Okonkwo'), ('Jon', 'Salo'), ('Pia', 'Brandt');
INSERT INTO film (title, description, release_year, language_id, original_language_id, rental_rate, length, rating, special_features)
VALUES
  ('The Quiet Ferry', 'A ferry that nobody steers', 2006, 1, 2, 2.99, 95, 'PG-13', '{Trailers,"Deleted Scenes"}'),
  ('Nine Bridges', 'A town counts its bridges', 2011, 1, NULL, 0.99, 121, 'G', NULL),
  ('Winter Post', 'Letters in the snow', 2019, 2, NULL, 4.99, 88, 'R', '{Commentaries}');
INSERT INTO film_actor (actor_id, film_id) VALUES (1, 1), (2, 1), (3, 2), (1, 3);
INSERT INTO film_category (film_id, category_id) VALUES (1, 1), (2, 2), (3, 1);
INSERT INTO country (country) VALUES ('Finland'), ('Nigeria');
INSERT INTO city (city, country_id) VALUES ('Oulu', 1), ('Lagos', 2);
INSERT INTO address (address, district, city_id, phone) VALUES
  ('Quay 1', 'North', 1, '100'), ('Quay 2', 'North', 1, '200'), ('Palm Road 3', 'West', 2, '300');
BEGIN;
INSERT INTO store (manager_staff_id, address_id) VALUES (1, 1);
INSERT INTO staff (first_name, last_name, address_id, store_id, username) VALUES ('Eeva', 'Laine', 2, 1, 'eeva');
COMMIT;
INSERT INTO customer (store_id, first_name, last_name, email, address_id, active) VALUES
  (1, 'Tomi', 'Koski', 'tomi@example.com', 2, 1), (1, 'Ada', 'Bello', 'ada@example.com', 3, 1);
INSERT INTO inventory (film_id, store_id) VALUES (1, 1), (2, 1), (3, 1);
INSERT INTO rental (rental_date, inventory_id, customer_id, return_date, staff_id) VALUES
  ('2026-01-10 10:00+00', 1, 1, '2026-01-12 10:00+00', 1), ('2026-02-10 10:00+00', 3, 2, NULL, 1);
INSERT INTO payment (customer_id, staff_id, rental_id, amount, payment_date) VALUES
  (1, 1, 1, 2.99, '2026-01-10 10:05+00'), (2, 1, 2, 4.99, '2026-02-10 10:05+00');
REFRESH MATERIALIZED VIEW rental_by_category;
