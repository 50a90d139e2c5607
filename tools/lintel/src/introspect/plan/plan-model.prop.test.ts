import * as metadata from '@lintel/metadata';
import { describeTables, type FoundColumn, type FoundTable } from '@lintel/schema';
import { type Arbitrary, cases, fc } from '@lintel/testkit/properties';
import { writeModel } from '../write-model.ts';
import { planModel } from './plan-model.ts';

const NAMES = fc.constantFrom(
  ...['id', 'ID', 'order', 'orders', 'Order', 'order_id', 'key', 'version', 'created_at', 'updated_by', 'deleted_at'],
  ...['status', '2nd', 'größe', 'constructor', '__proto__', 'class', 'person', 'people', 'a_b', 'aB', 'a b', "it's"],
  ...[
    'entity_name',
    'position',
    'value',
    'index',
    'enums',
    'string',
    'Object',
    '"',
    'items (',
    'a\nthrow new Error("carried out"); //',
    '\\',
    '*/',
    '$' + '{x}',
    'customer',
  ],
);
const TYPES = fc.constantFrom(
  ...[
    'uuid',
    'bigint',
    'integer',
    'smallint',
    'text',
    'character varying(20)',
    'character varying(100)',
    'character varying',
    'character(3)',
  ],
  ...['numeric(10,2)', 'numeric', 'boolean', 'date', 'timestamp with time zone', 'timestamp(3) without time zone'],
  ...['jsonb', 'text[]', 'public.mood', 'public.positive', 'bytea', 'double precision', 'interval'],
);
const LABELS = ['new', 'NEW', 'in progress', '', "it's", '1'];

const COLUMN: Arbitrary<FoundColumn> = fc
  .record({
    name: NAMES,
    type: TYPES,
    nullable: fc.boolean(),
    default: fc.constantFrom(null, null, "'x'::text", '5', 'true', 'now()', "'new'::public.mood", "'it''s'::text"),
    numbered: fc.boolean(),
    computed: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
    comment: fc.constantFrom(null, 'What */ it\n is'),
  })
  .map((column) => ({
    ...column,
    numbered: column.numbered && column.type === 'bigint',
    baseType: column.type === 'public.positive' ? 'integer' : column.type,
    typeKind: column.type === 'public.mood' ? 'e' : column.type === 'public.positive' ? 'd' : 'b',
    labels: column.type === 'public.mood' ? LABELS : null,
  }));

/** Which columns are in the key, refer to another table or are in an index: by number, modulo their count. */
interface Shape {
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly FoundColumn[];
  readonly key: readonly number[];
  readonly ownKeyName: boolean;
  readonly references: readonly {
    readonly columns: readonly number[];
    readonly target: number;
    readonly onDelete: number;
  }[];
  readonly indexes: readonly { readonly columns: readonly number[]; readonly unique: boolean }[];
}

const indexes = (max: number) => fc.array(fc.nat(7), { minLength: 1, maxLength: max });
const SHAPES: Arbitrary<readonly Shape[]> = fc.uniqueArray(
  fc.record({
    schema: fc.constant('lib'),
    name: NAMES,
    columns: fc.uniqueArray(COLUMN, { minLength: 1, maxLength: 7, selector: ({ name }) => name }),
    key: fc.array(fc.nat(7), { maxLength: 2 }),
    ownKeyName: fc.boolean(),
    references: fc.array(fc.record({ columns: indexes(2), target: fc.nat(5), onDelete: fc.nat(3) }), { maxLength: 3 }),
    indexes: fc.array(fc.record({ columns: indexes(3), unique: fc.boolean() }), { maxLength: 3 }),
  }),
  { minLength: 1, maxLength: 5, selector: ({ name }) => name },
);

const ACTIONS = ['NO ACTION', 'RESTRICT', 'CASCADE', 'SET NULL'] as const;

function tablesOf(shapes: readonly Shape[]): readonly FoundTable[] {
  const namesAt = ({ columns }: Shape, at: readonly number[]): readonly string[] => [
    ...new Set(at.map((number) => columns[number % columns.length]?.name ?? '')),
  ];
  return shapes.map((shape): FoundTable => {
    const key = namesAt(shape, shape.key);
    return {
      schema: shape.schema,
      name: shape.name,
      kind: 'table',
      inherits: false,
      inheritedBy: [],
      view: null,
      comment: null,
      columns: shape.columns.map((column) => (key.includes(column.name) ? { ...column, nullable: false } : column)),
      primaryKey:
        key.length === 0
          ? null
          : { name: shape.ownKeyName ? `pk_${shape.name}` : 'some_pkey', columns: key, definition: '' },
      foreignKeys: shape.references.flatMap(({ columns, target, onDelete }, at) => {
        const other = shapes[target % shapes.length] as Shape;
        const targetColumns = namesAt(other, other.key);
        const own = namesAt(shape, columns).slice(0, targetColumns.length);
        if (own.length === 0 || own.length < targetColumns.length) return [];
        return [
          {
            name: `fk_${at}`,
            columns: own,
            target: { schema: other.schema, name: other.name },
            targetColumns,
            onDelete: ACTIONS[onDelete] ?? 'NO ACTION',
          },
        ];
      }),
      indexes: shape.indexes.map(({ columns, unique }, at) => ({
        name: `ix_${at}`,
        columns: namesAt(shape, columns),
        unique,
        where: null,
        method: 'btree',
        definition: '',
      })),
      checks: [],
      exclusions: [],
      automatisms: [],
    };
  });
}

/** Carries out the files, without the packages they import. */
function modelOf(files: ReadonlyMap<string, string>): metadata.Model {
  const order = (file: string): number => (file === 'enums.ts' ? 0 : file === 'index.ts' ? 2 : 1);
  const body = [...files]
    .sort(([one], [other]) => order(one) - order(other))
    .filter(([name]) => name.endsWith('.ts'))
    .map(([, text]) => text.replaceAll(/^import [^;]+;$/gm, '').replaceAll(/^export const/gm, 'const'))
    .join('\n');
  const carryOut = new Function(...Object.keys(metadata), `'use strict';\n${body}\nreturn { ENTITIES, ENUMS };`);
  const { ENTITIES, ENUMS } = carryOut(...Object.values(metadata)) as {
    ENTITIES: metadata.EntityDefinition[];
    ENUMS: metadata.EnumDefinition[];
  };
  return metadata.buildModel({ entities: ENTITIES, enums: ENUMS });
}

test('for any tables, the model has no contradiction, is the same each time, and reports everything that it leaves out', () => {
  fc.assert(
    fc.property(SHAPES, (shapes) => {
      const tables = tablesOf(shapes);
      const plan = planModel(tables, 'lib');
      const files = writeModel(plan);
      expect([...writeModel(planModel(tables, 'lib'))]).toEqual([...files]);
      const described = new Map(
        describeTables(modelOf(files)).map((table) => [`${table.schema}.${table.name}`, table]),
      );
      for (const table of tables) {
        const where = `${table.schema}.${table.name}`;
        const said = plan.findings.filter((finding) => finding.table === where);
        const found = described.get(where);
        if (found === undefined) {
          expect(said).toContainEqual(expect.objectContaining({ object: 'table' }));
          continue;
        }
        const columns = new Set(found.columns.map(({ name }) => name));
        const named = (object: string) => said.filter((each) => each.object === object).map(({ name }) => name);
        for (const { name } of table.columns) expect([...columns, ...named('column')]).toContain(name);
        const references = found.foreignKeys.map((key) => [...key.columns].sort().join());
        for (const key of table.foreignKeys)
          expect([...references, ...named('foreign key')]).toContainEqual(
            named('foreign key').includes(key.name) ? key.name : [...key.columns].sort().join(),
          );
      }
    }),
    cases(200),
  );
});
