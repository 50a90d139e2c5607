import { defineMigration } from '@lintel/application';

export const migration1795669200000 = defineMigration({
  name: '1795669200000-order-date-and-id',
  up: ['CREATE INDEX "ix_order__date__id" ON "sales"."order" ("date", "id")', 'DROP INDEX "sales"."ix_order__date"'],
  down: ['CREATE INDEX "ix_order__date" ON "sales"."order" ("date")', 'DROP INDEX "sales"."ix_order__date__id"'],
});
