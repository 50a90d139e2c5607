import { splitIndexes } from './split-indexes.ts';

test('indexes of new tables stay in the step, indexes of other tables are created concurrently after it', () => {
  const index = (name: string, table: string): string => `CREATE INDEX "${name}" ON "my s"."${table}" ("c")`;
  const create = 'CREATE TABLE "my s"."new table" ("c" integer)';
  const up = [create, index('ix new', 'new table'), index('ix old', 'old table')];
  const down = ['DROP INDEX "my s"."ix old"', 'DROP TABLE "my s"."new table"'];
  expect(splitIndexes({ up, down, partitioned: [] })).toMatchObject({
    main: { up: [create, index('ix new', 'new table')], down: ['DROP TABLE "my s"."new table"'] },
    indexes: {
      up: ['CREATE INDEX CONCURRENTLY "ix old" ON "my s"."old table" ("c")'],
      down: ['DROP INDEX CONCURRENTLY "my s"."ix old"'],
    },
  });
});
