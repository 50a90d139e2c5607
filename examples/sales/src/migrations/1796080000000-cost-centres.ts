import { defineMigration } from '@lintel/application';

export const migration1796080000000 = defineMigration({
  name: '1796080000000-cost-centres',
  up: [
    `CREATE TABLE "sales"."cost_centre" (
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "created_date" TIMESTAMP(3),
  "created_by" character varying(255),
  "last_modified_date" TIMESTAMP(3),
  "last_modified_by" character varying(255),
  "name" character varying(100) NOT NULL,
  "salaries" numeric(19,2),
  "parent_id" uuid,
  CONSTRAINT "pk_cost_centre" PRIMARY KEY ("id")
)`,
    'CREATE INDEX "ix_cost_centre__parent_id__id" ON "sales"."cost_centre" ("parent_id", "id")',
    'ALTER TABLE "sales"."cost_centre" ADD CONSTRAINT "fk_cost_centre__parent_id" FOREIGN KEY ("parent_id") REFERENCES "sales"."cost_centre"("id") ON DELETE NO ACTION ON UPDATE NO ACTION',
  ],
  down: [
    'ALTER TABLE "sales"."cost_centre" DROP CONSTRAINT "fk_cost_centre__parent_id"',
    'DROP INDEX "sales"."ix_cost_centre__parent_id__id"',
    'DROP TABLE "sales"."cost_centre"',
  ],
});
