import { defineMigration } from '@lintel/application';

export const migration1795900000000 = defineMigration({
  name: '1795900000000-file-searches',
  up: [
    'CREATE INDEX "ix_order__attachment__search" ON "sales"."order" (lower(("attachment")::text) text_pattern_ops)',
    'CREATE INDEX "ix_customer__avatar__search" ON "sales"."customer" (lower(("avatar")::text) text_pattern_ops)',
    'CREATE INDEX "ix_product__picture__search" ON "sales"."product" (lower(("picture")::text) text_pattern_ops)',
  ],
  down: [
    'DROP INDEX "sales"."ix_product__picture__search"',
    'DROP INDEX "sales"."ix_customer__avatar__search"',
    'DROP INDEX "sales"."ix_order__attachment__search"',
  ],
});
