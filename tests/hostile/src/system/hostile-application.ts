import { defineApplication, defineMigration } from '@lintel/application';
import sales from '@lintel/example-sales';
import { integer, keyedEntity, toMany, toOne } from '@lintel/metadata';

const migration = defineMigration({
  name: '1796060000000-hostile',
  up: [
    'CREATE SCHEMA "hostile"',
    // Without a foreign key, which would be checked for each row by a plan for the empty table.
    'CREATE TABLE "hostile"."node" ("number" integer NOT NULL, "parent_number" integer, CONSTRAINT "node_pkey" PRIMARY KEY ("number"))',
    'CREATE INDEX "ix_node_parent" ON "hostile"."node" ("parent_number", "number")',
  ],
  down: ['DROP SCHEMA "hostile" CASCADE'],
});

/** The example application with a tree, which it has not. */
export default defineApplication({
  ...sales,
  entities: [
    ...sales.entities,
    keyedEntity('hostile_Node', {
      key: 'number',
      attributes: {
        number: integer(),
        parent: toOne('hostile_Node').tree(),
        children: toMany('hostile_Node', 'parent'),
      },
      traits: {},
    }),
  ],
  migrations: [...(sales.migrations ?? []), migration],
});
