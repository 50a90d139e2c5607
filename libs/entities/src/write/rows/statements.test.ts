import { buildModel, entityOf, integer, keyedEntity, storageOf, string } from '@lintel/metadata';
import { insertTexts } from '../model/statement-texts.ts';
import { deleteStatement, flagStatement, insertStatement, updateStatement } from './statements.ts';

const model = buildModel({
  entities: [
    keyedEntity('t_Rate', { key: 'code', attributes: { code: string(3), name: string(20), rank: integer() } }),
  ],
});
const { table, keyColumns } = storageOf(model, entityOf(model, 't_Rate'));
const column = (name: string, type: string) => ({ name, type, nullable: true });
const NAME = column('name', 'varchar(20)');
const RANK = column('rank', 'integer');
const CODE = column('code', 'character(3)');

test('one row is inserted by its values', () => {
  expect(insertStatement(table, [CODE, NAME], [['EUR', null]])).toEqual({
    text: 'INSERT INTO "t"."rate" ("code", "name") OVERRIDING SYSTEM VALUE VALUES ($1, $2)',
    values: ['EUR', null],
  });
});

const rowsNumbered = (count: number) => Array.from({ length: count }, (_, at) => [`C${at}`, 'n', at]);

test('few rows are inserted value by value, one row after the other', () => {
  const columns = [CODE, NAME, RANK];
  expect(insertStatement(table, columns, rowsNumbered(2))).toEqual({
    text: 'INSERT INTO "t"."rate" ("code", "name", "rank") OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3), ($4, $5, $6)',
    values: ['C0', 'n', 0, 'C1', 'n', 1],
  });
  const texts = insertTexts(table, columns);
  const [three, four, again] = [3, 4, 3].map((count) => insertStatement(table, columns, rowsNumbered(count), texts));
  expect(four?.values).toHaveLength(12);
  expect(again?.text).toBe(three?.text);
});

test('each value of few rows has the name of its column, where the database checks it', () => {
  const checked = [CODE, { ...NAME, isCheckedByDatabase: true as const }];
  const { target } = insertStatement(table, checked, [
    ['EUR', 'Euro'],
    ['USD', 'Dollar'],
  ]);
  expect(target).toEqual({ schema: 't', table: 'rate', columns: ['code', 'name', 'code', 'name'] });
});

test('any number of rows is inserted by one array for each column, of a type without length', () => {
  const [nine, ten] = [9, 10].map((count) => insertStatement(table, [CODE, NAME, RANK], rowsNumbered(count)));
  expect(nine?.text).toBe(
    'INSERT INTO "t"."rate" ("code", "name", "rank") OVERRIDING SYSTEM VALUE SELECT * FROM unnest($1::bpchar[], $2::varchar[], $3::integer[])',
  );
  expect(nine?.values.map((column) => (column as readonly unknown[]).slice(0, 2))).toEqual([
    ['C0', 'C1'],
    ['n', 'n'],
    [0, 1],
  ]);
  expect(ten?.text).toBe(nine?.text);
});

test('one row is updated by its key', () => {
  expect(updateStatement(table, [NAME, RANK], keyColumns, [{ key: ['EUR'], values: ['Euro', 1] }])).toEqual({
    text: 'UPDATE "t"."rate" SET "name" = $1, "rank" = $2 WHERE "code" = $3',
    values: ['Euro', 1, 'EUR'],
  });
});

test('many rows are updated each to its own values', () => {
  const rows = [
    { key: ['EUR'], values: ['Euro'] },
    { key: ['USD'], values: [null] },
  ];
  expect(updateStatement(table, [NAME], keyColumns, rows)).toEqual({
    text: `UPDATE "t"."rate" old SET "name" = new.c0 FROM unnest($1::varchar[], $2::varchar[]) AS new (c0, c1) WHERE old."code" = new.c1`,
    values: [
      ['Euro', null],
      ['EUR', 'USD'],
    ],
  });
});

test('rows are removed by keys of one column or of several', () => {
  expect(deleteStatement(table, [RANK], [[1, 2]])).toEqual({
    text: 'DELETE FROM "t"."rate" WHERE "rank" = ANY($1::integer[])',
    values: [[1, 2]],
  });
  expect(deleteStatement(table, [CODE, RANK], [['EUR'], [1]]).text).toBe(
    'DELETE FROM "t"."rate" WHERE ("code", "rank") IN (SELECT * FROM unnest($1::bpchar[], $2::integer[]))',
  );
});

test('rows are marked as deleted, and their version rises where there is one', () => {
  const key = { columns: [CODE], values: [['EUR', 'USD']] };
  expect(flagStatement(table, [{ column: NAME, value: 'gone' }], RANK, key)).toEqual({
    text: 'UPDATE "t"."rate" SET "name" = $1, "rank" = "rank" + 1 WHERE "code" = ANY($2::bpchar[])',
    values: ['gone', ['EUR', 'USD']],
  });
  expect(flagStatement(table, [{ column: NAME, value: 'gone' }], undefined, key).text).toBe(
    'UPDATE "t"."rate" SET "name" = $1 WHERE "code" = ANY($2::bpchar[])',
  );
});
