import { AUDIT_COLUMNS, DELETION_COLUMNS } from './fragments.ts';

const SYSTEM = `
  id uuid NOT NULL,${AUDIT_COLUMNS}${DELETION_COLUMNS}`;

/**
 * Dynamic attributes: the definitions, as the entities `dynat_Category` and `dynat_CategoryAttribute` describe them,
 * and the values. A value is one row, in the column of its type; a list has a row for each element. It refers to its
 * owner by the key as text, so that one table serves entities with keys of any type.
 */
export const DYNAMIC_ATTRIBUTES: readonly string[] = [
  'CREATE SCHEMA IF NOT EXISTS dynat',
  `CREATE TABLE dynat.category (${SYSTEM}
  name varchar(255) NOT NULL,
  entity_type varchar(255) NOT NULL,
  is_default boolean,
  locale_names text,
  CONSTRAINT pk_category PRIMARY KEY (id)
)`,
  `CREATE TABLE dynat.category_attribute (${SYSTEM}
  category_id uuid NOT NULL,
  category_entity_type varchar(255),
  name varchar(255) NOT NULL,
  code varchar(50) NOT NULL,
  description text,
  data_type varchar(50) NOT NULL,
  entity_class varchar(255),
  enumeration text,
  is_collection boolean,
  required boolean,
  order_no integer,
  locale_names text,
  locale_descriptions text,
  CONSTRAINT pk_category_attribute PRIMARY KEY (id),
  CONSTRAINT fk_category_attribute__category_id FOREIGN KEY (category_id) REFERENCES dynat.category (id)
)`,
  'CREATE INDEX ix_category_attribute__category_id ON dynat.category_attribute (category_id)',
  `CREATE UNIQUE INDEX uq_category_attribute__category_entity_type__code__live
ON dynat.category_attribute (category_entity_type, code) WHERE deleted_date IS NULL`,
  `CREATE TABLE dynat.attribute_value (
  attribute_id uuid NOT NULL,
  owner_key text NOT NULL,
  position integer NOT NULL,
  string_value text,
  integer_value integer,
  double_value double precision,
  decimal_value numeric,
  date_time_value timestamp(3),
  date_value date,
  boolean_value boolean,
  target_uuid uuid,
  target_number bigint,
  target_text text,
  CONSTRAINT pk_attribute_value PRIMARY KEY (attribute_id, owner_key, position),
  CONSTRAINT fk_attribute_value__attribute_id FOREIGN KEY (attribute_id)
    REFERENCES dynat.category_attribute (id) ON DELETE CASCADE,
  CONSTRAINT ck_attribute_value__one CHECK (num_nonnulls(string_value, integer_value, double_value, decimal_value,
    date_time_value, date_value, boolean_value, target_uuid, target_number, target_text) = 1)
)`,
];
