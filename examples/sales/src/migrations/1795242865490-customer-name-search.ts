import { defineMigration } from '@lintel/application';

export const migration1795242865490 = defineMigration({
  name: '1795242865490-customer-name-search',
  up: ['CREATE INDEX "ix_customer__name__search" ON "sales"."customer" (lower(("name")::text) text_pattern_ops)'],
  down: ['DROP INDEX "sales"."ix_customer__name__search"'],
});
