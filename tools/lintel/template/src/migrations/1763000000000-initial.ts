import { defineMigration } from '@lintel/application';

export const migration1763000000000 = defineMigration({
  name: '1763000000000-initial',
  up: [
    'CREATE SCHEMA "sample"',
    `CREATE TABLE "sample"."customer" (
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "created_date" TIMESTAMP(3),
  "created_by" character varying(255),
  "last_modified_date" TIMESTAMP(3),
  "last_modified_by" character varying(255),
  "name" character varying(255) NOT NULL,
  "email" character varying(255),
  "city" character varying(100),
  CONSTRAINT "pk_customer" PRIMARY KEY ("id")
)`,
  ],
  down: ['DROP TABLE "sample"."customer"', 'DROP SCHEMA "sample"'],
});
