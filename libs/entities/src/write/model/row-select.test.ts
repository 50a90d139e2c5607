import { buildModel, entityOf, integer, keyedEntity, localDate, string, toOne } from '@lintel/metadata';
import type { RowSelectShape } from './row-select.ts';
import { writeModelOf } from './write-model.ts';

const model = buildModel({
  entities: [
    keyedEntity('t_Team', { key: 'code', attributes: { code: string(3) } }),
    keyedEntity('t_Person', {
      key: 'number',
      traits: { softDeleted: ['deletedDate'] },
      attributes: { number: integer(), born: localDate(), team: toOne('t_Team') },
    }),
    keyedEntity('t_Boss', { key: 'number', extends: 't_Person', attributes: { title: string(20) } }),
  ],
});
const PLAIN: RowSelectShape = { slot: undefined, isOne: false, lock: undefined, liveOnly: false };
const select = (entity: string, shape: Partial<RowSelectShape> = {}) =>
  writeModelOf(model)
    .of(entityOf(model, entity))
    .rowSelect({ ...PLAIN, ...shape });
const teamOf = (entity: string) => writeModelOf(model).of(entityOf(model, entity)).slots.get('team');

const PERSON =
  'SELECT to_char(t0."deleted_date", \'YYYY-MM-DD"T"HH24:MI:SS.MS\') AS c0, t0."number" AS c1, to_char(t0."born", \'YYYY-MM-DD\') AS c2, t0."team_code" AS c3, t0."entity_name" AS entity_name FROM "t"."person" t0';

test.each<[string, Partial<RowSelectShape>, string]>([
  ['rows by their keys', {}, 'WHERE t0."number" = ANY($1::integer[]) ORDER BY t0."number"'],
  ['a row by its key', { isOne: true }, 'WHERE t0."number" = $1::integer ORDER BY t0."number"'],
  [
    'rows by the key that their reference has',
    { slot: teamOf('t_Person') },
    'WHERE t0."team_code" = ANY($1::varchar[]) ORDER BY t0."number"',
  ],
  [
    'live rows, locked to be changed',
    { lock: 'update', liveOnly: true },
    'WHERE t0."number" = ANY($1::integer[]) AND t0."deleted_date" IS NULL ORDER BY t0."number" FOR NO KEY UPDATE OF t0',
  ],
  [
    'rows, locked to be deleted',
    { lock: 'delete' },
    'WHERE t0."number" = ANY($1::integer[]) ORDER BY t0."number" FOR UPDATE OF t0',
  ],
])('%s: one statement, in the order of the keys', (_, shape, end) => {
  expect(select('t_Person', shape).text).toBe(`${PERSON} ${end}`);
});

test('rows of a descendant are joined from the tables of the lineage', () => {
  const { text } = select('t_Boss', { slot: teamOf('t_Boss'), lock: 'update' });
  expect(text).toContain(
    'FROM "t"."person" t0 JOIN "t"."boss" t1 ON t1."number" = t0."number" WHERE t0."team_code" = ANY(',
  );
  expect(text).toMatch(/t1\."title" AS c\d, t0\."entity_name"/);
  expect(text).toMatch(/FOR NO KEY UPDATE OF t0$/);
});

test('the parameters have the columns and types of the keys', () => {
  expect(select('t_Person').matched.map(({ name }) => name)).toEqual(['number']);
  expect(select('t_Person', { slot: teamOf('t_Person') })).toMatchObject({
    matched: [{ name: 'team_code' }],
    types: [{ kind: 'datatype', datatype: 'string' }],
  });
});
