import { defineMigration } from '@lintel/application';

export const migration1796072401465 = defineMigration({
  name: '1796072401465-initial',
  up: [
    'CREATE SCHEMA "dispatch"',
    `CREATE TABLE "dispatch"."shipment" (
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "created_date" timestamp(3) without time zone,
  "created_by" character varying(255),
  "last_modified_date" timestamp(3) without time zone,
  "last_modified_by" character varying(255),
  "order" character varying(100) NOT NULL,
  "number" character varying(20) NOT NULL,
  "state" character varying(50) NOT NULL,
  "tour_id" uuid,
  CONSTRAINT "pk_shipment" PRIMARY KEY ("id")
)`,
    `CREATE TABLE "dispatch"."tour" (
  "id" uuid NOT NULL,
  "version" integer NOT NULL,
  "created_date" timestamp(3) without time zone,
  "created_by" character varying(255),
  "last_modified_date" timestamp(3) without time zone,
  "last_modified_by" character varying(255),
  "name" character varying(50) NOT NULL,
  "free" integer NOT NULL,
  CONSTRAINT "pk_tour" PRIMARY KEY ("id")
)`,
    'CREATE UNIQUE INDEX "uq_shipment__order" ON "dispatch"."shipment" ("order")',
    'CREATE INDEX "ix_shipment__tour_id" ON "dispatch"."shipment" ("tour_id")',
    'CREATE UNIQUE INDEX "uq_tour__name" ON "dispatch"."tour" ("name")',
    'ALTER TABLE "dispatch"."shipment" ADD CONSTRAINT "fk_shipment__tour_id" FOREIGN KEY ("tour_id") REFERENCES "dispatch"."tour"("id")',
  ],
  // Loses data: "revert" does it with --allow-data-loss only.
  down: [
    'ALTER TABLE "dispatch"."shipment" DROP CONSTRAINT "fk_shipment__tour_id"',
    'DROP TABLE "dispatch"."tour"',
    'DROP TABLE "dispatch"."shipment"',
    'DROP SCHEMA "dispatch"',
  ],
});
