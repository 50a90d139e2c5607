import { defineApplication, defineMigration } from '@lintel/application';
import sales from '@lintel/example-sales';
import { integer, keyedEntity, searchVector, string, text, toOne } from '@lintel/metadata';

const PLAIN = { traits: {} } as const;

/** The words of a text as the index has them. */
const WORDS = searchVector([
  { text: '"text"', search: { weight: 'D', language: 'simple', prefix: false, typos: false } },
]);

const migration = defineMigration({
  name: '1796050000000-bench',
  up: [
    'CREATE SCHEMA "bench"',
    'CREATE TABLE "bench"."note" ("id" integer NOT NULL, "text" text, CONSTRAINT "note_pkey" PRIMARY KEY ("id"))',
    `CREATE INDEX "ix_note_text" ON "bench"."note" USING gin ((${WORDS}))`,
    'CREATE TABLE "bench"."node" ("id" integer NOT NULL, "name" character varying(50), "parent_id" integer, CONSTRAINT "node_pkey" PRIMARY KEY ("id"), CONSTRAINT "fk_node_parent" FOREIGN KEY ("parent_id") REFERENCES "bench"."node" ("id"))',
    'CREATE INDEX "ix_node_parent" ON "bench"."node" ("parent_id")',
  ],
  down: ['DROP SCHEMA "bench" CASCADE'],
});

/** The example application with a million texts and a tree, which it has not. */
export default defineApplication({
  ...sales,
  // No other application answers its events, and nothing runs beside the requests.
  eventHandlers: [],
  jobs: [],
  mails: [],
  entities: [
    ...sales.entities,
    keyedEntity('bench_Note', {
      key: 'id',
      attributes: { id: integer(), text: text().searchable() },
      ...PLAIN,
    }),
    keyedEntity('bench_Node', {
      key: 'id',
      attributes: { id: integer(), name: string(50), parent: toOne('bench_Node').tree() },
      instanceName: ['name'],
      ...PLAIN,
    }),
  ],
  migrations: [...(sales.migrations ?? []), migration],
});
