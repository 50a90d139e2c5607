import { boolean, buildModel, enumeration, enumOf, integer, standardEntity, string } from '@lintel/metadata';
import { fillNewColumns } from './fill-new-columns.ts';

const State = enumeration('t.State', { OPEN: 10, DONE: 20 });
const model = buildModel({
  enums: [State],
  entities: [
    standardEntity('t_Task', {
      attributes: {
        count: integer().mandatory().default(0),
        open: boolean().mandatory().default(true),
        state: enumOf(State).mandatory().default('DONE'),
        title: string(20).mandatory().default("it's"),
        note: string(20).mandatory(),
        hint: string(20).default('none'),
      },
    }),
  ],
});
test('a table with another name that migrations own is one of them', () => {
  const owned = buildModel({
    entities: [
      standardEntity('t_Task', {
        table: { schema: 'old', name: 'OLD TASKS', owned: true },
        attributes: { count: integer().mandatory().default(3).column('A COUNT') },
      }),
    ],
  });
  expect(fillNewColumns(owned, ['ALTER TABLE "old"."OLD TASKS" ADD "A COUNT" integer NOT NULL'])).toEqual([
    `ALTER TABLE "old"."OLD TASKS" ADD "A COUNT" integer NOT NULL DEFAULT '3'`,
    'ALTER TABLE "old"."OLD TASKS" ALTER COLUMN "A COUNT" DROP DEFAULT',
  ]);
});

const add = (column: string, type: string) => `ALTER TABLE "t"."task" ADD "${column}" ${type}`;
const drop = (column: string) => `ALTER TABLE "t"."task" ALTER COLUMN "${column}" DROP DEFAULT`;

test.each([
  ['count', 'integer NOT NULL', "'0'"],
  ['open', 'boolean NOT NULL', "'true'"],
  ['state', 'integer NOT NULL', "'20'"],
  ['title', 'character varying(20) NOT NULL', "'it''s'"],
])('the new mandatory column %s has the default of the model for existing rows', (column, type, literal) => {
  expect(fillNewColumns(model, [add(column, type)])).toEqual([`${add(column, type)} DEFAULT ${literal}`, drop(column)]);
});

test('all other statements stay as they are', () => {
  const others = [
    add('note', 'character varying(20) NOT NULL'),
    add('hint', 'character varying(20)'),
    'ALTER TABLE "t"."other" ADD "count" integer NOT NULL',
    'DROP TABLE "t"."old"',
  ];
  expect(fillNewColumns(model, others)).toEqual(others);
});
