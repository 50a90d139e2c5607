import { formatMigration, formatMigrationList } from './format-migration.ts';

test('a migration is a module that reads well', () => {
  const text = formatMigration({
    name: '1795238450073-initial',
    up: [
      'CREATE TABLE "s"."t" ("id" uuid NOT NULL, "price" numeric(19,2), CONSTRAINT "pk_t" PRIMARY KEY ("id"))',
      'CREATE INDEX "ix_t__price" ON "s"."t" ("price")',
      `ALTER TABLE t ALTER c SET DEFAULT 'it''s'`,
    ],
    down: ['DROP TABLE "s"."t"'],
  });
  expect(text).toBe(`import { defineMigration } from '@lintel/application';

export const migration1795238450073 = defineMigration({
  name: '1795238450073-initial',
  up: [
    \`CREATE TABLE "s"."t" (
  "id" uuid NOT NULL,
  "price" numeric(19,2),
  CONSTRAINT "pk_t" PRIMARY KEY ("id")
)\`,
    'CREATE INDEX "ix_t__price" ON "s"."t" ("price")',
    "ALTER TABLE t ALTER c SET DEFAULT 'it''s'",
  ],
  // Loses data: "revert" does it with --allow-data-loss only.
  down: ['DROP TABLE "s"."t"'],
});
`);
});

test('nothing in a statement can break out of its literal', async () => {
  const placeholder = '$'.concat('{x}');
  const statements = [`a '" \\ ${placeholder} \` b`, `CREATE TABLE t (c text DEFAULT '\`${placeholder}\\', d text)`];
  const text = formatMigration({ name: '1795238450073-x', up: statements, down: [] });
  const body = text
    .replace(/^import.*$/m, '')
    .replace('export const migration1795238450073 = defineMigration(', 'return (');
  const read = new Function(body)() as { readonly up: readonly string[] };
  expect(read.up.map((each) => each.replaceAll(/\s+/g, ' ').replace('( ', '(').replace(' )', ')'))).toEqual(statements);
});

test('the list is in the order of the names', () => {
  expect(
    formatMigrationList(['1795238450074-b', '1795238450073-a']),
  ).toBe(`import type { Migration } from '@lintel/application';
import { migration1795238450073 } from './1795238450073-a.ts';
import { migration1795238450074 } from './1795238450074-b.ts';

/** In the order of their names; \`lintel migrate generate\` adds to this list. */
export const MIGRATIONS: readonly Migration[] = [migration1795238450073, migration1795238450074];
`);
});
