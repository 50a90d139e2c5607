-- The structure of a trader in food, as the sample database Northwind has it. The rows are made up.
CREATE TABLE categories (
  category_id smallint PRIMARY KEY,
  category_name varchar(15) NOT NULL,
  description text,
  picture bytea
);
CREATE TABLE customer_demographics (customer_type_id varchar(5) PRIMARY KEY, customer_desc text);
CREATE TABLE customers (
  customer_id varchar(5) PRIMARY KEY,
  company_name varchar(40) NOT NULL,
  contact_name varchar(30),
  contact_title varchar(30),
  address varchar(60),
  city varchar(15),
  region varchar(15),
  postal_code varchar(10),
  country varchar(15),
  phone varchar(24),
  fax varchar(24)
);
CREATE TABLE customer_customer_demo (
  customer_id varchar(5) NOT NULL REFERENCES customers,
  customer_type_id varchar(5) NOT NULL REFERENCES customer_demographics,
  PRIMARY KEY (customer_id, customer_type_id)
);
CREATE TABLE employees (
  employee_id smallint PRIMARY KEY,
  last_name varchar(20) NOT NULL,
  first_name varchar(10) NOT NULL,
  title varchar(30),
  title_of_courtesy varchar(25),
  birth_date date,
  hire_date date,
  city varchar(15),
  home_phone varchar(24),
  photo bytea,
  notes text,
  reports_to smallint REFERENCES employees,
  photo_path varchar(255)
);
CREATE TABLE suppliers (
  supplier_id smallint PRIMARY KEY,
  company_name varchar(40) NOT NULL,
  contact_name varchar(30),
  city varchar(15),
  country varchar(15),
  homepage text
);
CREATE TABLE products (
  product_id smallint PRIMARY KEY,
  product_name varchar(40) NOT NULL,
  supplier_id smallint REFERENCES suppliers,
  category_id smallint REFERENCES categories,
  quantity_per_unit varchar(20),
  unit_price real,
  units_in_stock smallint,
  units_on_order smallint,
  reorder_level smallint,
  discontinued integer NOT NULL
);
CREATE TABLE region (region_id smallint PRIMARY KEY, region_description varchar(60) NOT NULL);
CREATE TABLE territories (
  territory_id varchar(20) PRIMARY KEY,
  territory_description varchar(60) NOT NULL,
  region_id smallint NOT NULL REFERENCES region
);
CREATE TABLE employee_territories (
  employee_id smallint NOT NULL REFERENCES employees,
  territory_id varchar(20) NOT NULL REFERENCES territories,
  PRIMARY KEY (employee_id, territory_id)
);
CREATE TABLE shippers (shipper_id smallint PRIMARY KEY, company_name varchar(40) NOT NULL, phone varchar(24));
CREATE TABLE orders (
  order_id smallint PRIMARY KEY,
  customer_id varchar(5) REFERENCES customers,
  employee_id smallint REFERENCES employees,
  order_date date,
  required_date date,
  shipped_date date,
  ship_via smallint REFERENCES shippers,
  freight real,
  ship_name varchar(40),
  ship_city varchar(15),
  ship_country varchar(15)
);
CREATE TABLE order_details (
  order_id smallint NOT NULL REFERENCES orders,
  product_id smallint NOT NULL REFERENCES products,
  unit_price real NOT NULL,
  quantity smallint NOT NULL,
  discount real NOT NULL,
  PRIMARY KEY (order_id, product_id)
);
CREATE TABLE us_states (
  state_id smallint PRIMARY KEY,
  state_name varchar(100),
  state_abbr varchar(2),
  state_region varchar(50)
);

INSERT INTO categories VALUES (1, 'Drinks', 'Hot and cold', NULL), (2, 'Grain', NULL, NULL);
INSERT INTO customers (customer_id, company_name, city, country) VALUES
  ('HARBR', 'Harbour Foods', 'Bergen', 'Norway'), ('LINDE', 'Linden Deli', 'Graz', 'Austria');
INSERT INTO customer_demographics VALUES ('SMALL', 'Up to ten people');
INSERT INTO customer_customer_demo VALUES ('LINDE', 'SMALL');
INSERT INTO employees (employee_id, last_name, first_name, title, hire_date, reports_to) VALUES
  (1, 'Hauge', 'Nina', 'Head of sales', '2019-03-01', NULL), (2, 'Pichler', 'Max', 'Seller', '2022-09-15', 1);
INSERT INTO suppliers (supplier_id, company_name, city, country) VALUES (1, 'Mill & Sons', 'Leeds', 'UK');
INSERT INTO products VALUES
  (1, 'Elder Tea', 1, 1, '20 bags', 4.5, 39, 0, 10, 0), (2, 'Rye Flour', 1, 2, '5 kg', 8.25, 12, 40, 20, 0),
  (3, 'Malt Coffee', NULL, 1, '500 g', 6, 0, 0, 0, 1);
INSERT INTO region VALUES (1, 'North'), (2, 'South');
INSERT INTO territories VALUES ('5003', 'Bergen', 1), ('8010', 'Graz', 2);
INSERT INTO employee_territories VALUES (1, '5003'), (2, '8010'), (2, '5003');
INSERT INTO shippers VALUES (1, 'Quick Sea', '11'), (2, 'Slow Land', '22');
INSERT INTO orders (order_id, customer_id, employee_id, order_date, ship_via, freight, ship_country) VALUES
  (100, 'HARBR', 1, '2026-05-04', 1, 32.5, 'Norway'), (101, 'LINDE', 2, '2026-05-06', 2, 11.75, 'Austria'),
  (102, 'LINDE', 2, '2026-06-01', NULL, 0, 'Austria');
INSERT INTO order_details VALUES (100, 1, 4.5, 10, 0), (100, 2, 8.25, 4, 0.25), (101, 3, 6, 20, 0);
