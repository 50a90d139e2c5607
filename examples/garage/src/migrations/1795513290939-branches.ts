import { defineMigration } from '@lintel/application';

export const migration1795513290939 = defineMigration({
  name: '1795513290939-branches',
  up: [
    `CREATE TABLE "garage"."branch" (
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "created_date" TIMESTAMP(3),
  "created_by" character varying(255),
  "last_modified_date" TIMESTAMP(3),
  "last_modified_by" character varying(255),
  "name" character varying(100) NOT NULL,
  "city" character varying(50),
  CONSTRAINT "pk_branch" PRIMARY KEY ("id")
)`,
    'CREATE UNIQUE INDEX "uq_branch__name" ON "garage"."branch" ("name")',
    'ALTER TABLE "sec"."user" ADD "branch_id" uuid',
    'ALTER TABLE "garage"."job" ADD "branch_id" uuid',
    'ALTER TABLE "garage"."job" ADD "measurements" jsonb',
    'ALTER TABLE "sec"."user" ADD CONSTRAINT "fk_user__branch_id" FOREIGN KEY ("branch_id") REFERENCES "garage"."branch"("id") ON DELETE NO ACTION ON UPDATE NO ACTION',
    'ALTER TABLE "garage"."job" ADD CONSTRAINT "fk_job__branch_id" FOREIGN KEY ("branch_id") REFERENCES "garage"."branch"("id") ON DELETE NO ACTION ON UPDATE NO ACTION',
  ],
  // Loses data: "revert" does it with --allow-data-loss only.
  down: [
    'ALTER TABLE "garage"."job" DROP CONSTRAINT "fk_job__branch_id"',
    'ALTER TABLE "sec"."user" DROP CONSTRAINT "fk_user__branch_id"',
    'ALTER TABLE "garage"."job" DROP COLUMN "measurements"',
    'ALTER TABLE "garage"."job" DROP COLUMN "branch_id"',
    'ALTER TABLE "sec"."user" DROP COLUMN "branch_id"',
    'DROP INDEX "garage"."uq_branch__name"',
    'DROP TABLE "garage"."branch"',
  ],
});
