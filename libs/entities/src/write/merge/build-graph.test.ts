import { isPlatformError } from '@lintel/errors';
import {
  buildModel,
  compositionOfMany,
  compositionOfOne,
  createMessages,
  elements,
  entityOf,
  integer,
  softDeletedEntity,
  standardEntity,
  string,
  toMany,
  toOne,
} from '@lintel/metadata';
import type { Statement, Transaction } from '@lintel/persistence';
import { canonicalKey } from '@lintel/query';
import type { InstanceInput, SentChildren } from '../parse/instance-input.ts';
import { openScope } from '../run/open-scope.ts';
import type { WriteRights, WriteScope } from '../scope/write-scope.ts';
import { type Key, keyText, type Value } from '../values/value.ts';
import { buildGraph, type SaveGraph } from './build-graph.ts';

const model = buildModel({
  entities: [
    softDeletedEntity('t_Photo', { attributes: { title: string(20) } }),
    standardEntity('t_Note', { attributes: { order: toOne('t_Order'), text: string(20) } }),
    standardEntity('t_Part', { attributes: { line: toOne('t_Line'), name: string(20) } }),
    softDeletedEntity('t_Line', {
      attributes: {
        order: toOne('t_Order'),
        name: string(20),
        count: integer().default(3),
        parts: compositionOfMany('t_Part', 'line'),
      },
    }),
    standardEntity('t_Order', {
      attributes: {
        number: string(20),
        labels: elements(),
        photo: compositionOfOne('t_Photo'),
        lines: compositionOfMany('t_Line', 'order'),
        notes: toMany('t_Note', 'order'),
      },
    }),
  ],
});

type Row = Readonly<Record<string, string | number | null>>;

/** A transaction on rows in memory: it runs selects of one table by a column, and refuses everything else. */
class StoredTables implements Transaction {
  readonly sent: string[] = [];
  private readonly tables: Readonly<Record<string, readonly Row[]>>;

  constructor(tables: Readonly<Record<string, readonly Row[]>>) {
    this.tables = tables;
  }

  query<R extends object>({ text, values }: Statement): Promise<readonly R[]> {
    this.sent.push(text);
    const { list, table, where } =
      /^SELECT (?<list>.+) FROM "t"\."(?<table>\w+)"(?: t0)? WHERE (?<where>.+)$/.exec(text.replace(/'[^']*'/g, ''))
        ?.groups ?? {};
    const column = /"(\w+)"/.exec(where ?? '')?.[1] ?? '';
    const keys = values[0] as readonly unknown[];
    const found = (this.tables[table ?? ''] ?? []).filter(
      (row) => keys.includes(row[column]) && (!where?.includes('IS NULL') || (row['deleted_date'] ?? null) === null),
    );
    const columns = [...(list ?? '').matchAll(/"(\w+)"[^"]* AS (\w+)/g)];
    const rows = found.map((row) =>
      Object.fromEntries(columns.map(([, from = '', to = '']) => [to, row[from] ?? null])),
    );
    return Promise.resolve(rows as R[]);
  }

  send = refused;
  onCommitPosition = refused;
  appendEvents = refused;
}

const refused = (): never => {
  throw new Error('Nothing is written while a graph is built');
};

function scopeOf(transaction: Transaction): WriteScope {
  let last = 0;
  return openScope(
    {
      model,
      clock: { now: () => 0 },
      ids: { next: () => `new${++last}` },
      hashPassword: refused,
      listeners: { of: () => [] },
      events: { source: '/t', byType: new Map() },
      dataFor: refused,
      accessOf: refused,
      loadAccess: refused,
      currentMessages: () => createMessages([]),
    },
    transaction,
    { username: 'u', locale: null },
  );
}

interface InputOptions {
  readonly id?: string;
  readonly version?: string;
  readonly values?: Readonly<Record<string, Value>>;
  readonly many?: Readonly<Record<string, readonly InstanceInput[]>>;
  readonly one?: Readonly<Record<string, InstanceInput | null>>;
  readonly hiddenAtRead?: ReadonlyMap<string, readonly Key[]>;
}

function input(entity: string, { id, version, values = {}, many = {}, one = {}, hiddenAtRead }: InputOptions = {}) {
  const children: [string, SentChildren][] = [
    ...Object.entries(many).map(([name, list]): [string, SentChildren] => [name, { kind: 'many', children: list }]),
    ...Object.entries(one).map(([name, child]): [string, SentChildren] => [name, { kind: 'one', child }]),
  ];
  const instance: InstanceInput = {
    entity: entityOf(model, entity),
    path: '',
    key: id === undefined ? undefined : canonicalKey([id]),
    version,
    values: new Map(Object.entries(values).map(([path, value]) => [path, { value, sent: null }])),
    children: new Map(children),
    unstored: new Map(),
    hiddenAtRead,
    dynamic: [],
  };
  return instance;
}

interface World {
  readonly tables?: Readonly<Record<string, readonly Row[]>>;
  readonly rights?: WriteRights;
}

/** Creates an order, or changes the stored one with the id `o`. */
async function build(root: InstanceInput, { tables = {}, rights = {} }: World = {}) {
  const transaction = new StoredTables(tables);
  const stored = tables['order']?.map((row) => ({
    entity: root.entity,
    key: canonicalKey([String(row['id'])]),
    values: new Map<string, Value>([
      ['id', String(row['id'])],
      ['number', row['number'] ?? null],
      ['photo', row['photo_id'] == null ? null : { key: canonicalKey([row['photo_id']]) }],
    ]),
  }))[0];
  const graph = await buildGraph(scopeOf(transaction), rights, stored ? 'update' : 'create', [{ input: root, stored }]);
  return { graph, sent: transaction.sent };
}

const summary = ({ nodes, removals }: SaveGraph) => ({
  nodes: nodes.map(({ kind, key }) => `${kind} ${key.join()}`),
  removed: removals.map(({ key }) => key.join()),
});
const sees = (...ids: readonly string[]): WriteRights => ({
  visibleKeys: (_, keys) => Promise.resolve(new Set(keys.filter(([id]) => ids.includes(String(id))).map(keyText))),
});
const errorOf = async (promise: Promise<unknown>): Promise<string> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isPlatformError(error)) throw new Error('No error of the platform', { cause: error });
  return error.code;
};

const ORDER = { id: 'o', number: 'A' };

describe('a new instance', () => {
  test('comes before its children, which refer to it by the key that it gets', async () => {
    const line = input('t_Line', { many: { parts: [input('t_Part')] } });
    const { graph, sent } = await build(input('t_Order', { many: { lines: [line, input('t_Line')] } }));
    expect(summary(graph).nodes).toEqual(['create new1', 'create new2', 'create new3', 'create new4']);
    expect(graph.nodes.map(({ after }) => after.get('order') ?? after.get('line'))).toEqual([
      undefined,
      { key: canonicalKey(['new1']) },
      { key: canonicalKey(['new1']) },
      { key: canonicalKey(['new2']) },
    ]);
    expect(graph.nodes[0]?.children).toEqual(new Map([['lines', [['new2'], ['new3']]]]));
    expect(sent).toEqual([]);
  });

  test('gives each child its own values and the defaults for the rest', async () => {
    const lines = [input('t_Line', { values: { count: 7 } }), input('t_Line', { values: { name: 'two' } })];
    const { graph } = await build(input('t_Order', { many: { lines } }));
    expect(graph.nodes.slice(1).map(({ after }) => [after.get('count'), after.get('name')])).toEqual([
      [7, null],
      [3, 'two'],
    ]);
  });

  test('refers to the child of a 1:1 composition', async () => {
    const { graph } = await build(input('t_Order', { one: { photo: input('t_Photo') } }));
    expect(graph.nodes[0]?.after.get('photo')).toEqual({ key: canonicalKey(['new2']) });
  });

  test('keeps an id that was sent, unless it is taken', async () => {
    expect(summary((await build(input('t_Order', { id: 'mine' }))).graph).nodes).toEqual(['create mine']);
    const children = [input('t_Line', { id: 'l' })];
    expect(
      await errorOf(build(input('t_Order', { many: { lines: children } }), { tables: { line: [{ id: 'l' }] } })),
    ).toBe('DATA_ALREADY_EXISTS');
    expect(await errorOf(build(input('t_Order', { many: { lines: [...children, ...children] } })))).toBe(
      'DATA_ALREADY_EXISTS',
    );
  });
});

describe('a composition of a stored instance', () => {
  const tables = {
    order: [ORDER],
    line: [
      { id: 'l1', order_id: 'o', name: 'one', version: 1 },
      { id: 'l2', order_id: 'o', name: 'two', version: 1 },
      { id: 'gone', order_id: 'o', name: 'old', deleted_date: '2026-01-01T00:00:00.000' },
    ],
  };
  const change = (lines: readonly InstanceInput[], rights?: WriteRights, options: InputOptions = {}) =>
    build(input('t_Order', { ...options, many: { lines } }), { tables, ...(rights === undefined ? {} : { rights }) });

  test('changes the children that are named by id, makes those without, and removes the rest', async () => {
    const { graph } = await change([input('t_Line', { id: 'l1', values: { name: 'ONE' } }), input('t_Line')]);
    expect(summary(graph)).toEqual({ nodes: ['update o', 'update l1', 'create new1'], removed: ['l2'] });
    expect(graph.nodes[1]?.after.get('name')).toBe('ONE');
    expect(graph.removals[0]?.isTarget).toBe(false);
  });

  test('that is not named is not touched, and nothing of it is loaded', async () => {
    const { graph, sent } = await build(input('t_Order', { values: { number: 'B' } }), { tables });
    expect(summary(graph)).toEqual({ nodes: ['update o'], removed: [] });
    expect(sent).toEqual([]);
  });

  test('leaves alone the children that the caller does not see', async () => {
    const { graph } = await change([input('t_Line', { id: 'l2', values: { name: 'x' } })], sees('l1'));
    expect(summary(graph)).toEqual({ nodes: ['update o'], removed: ['l1'] });
  });

  test('keeps the children that the caller did not see when the instance was read', async () => {
    const { graph } = await change([], undefined, { hiddenAtRead: new Map([['lines', [canonicalKey(['l1'])]]]) });
    expect(summary(graph)).toEqual({ nodes: ['update o'], removed: ['l2'] });
  });

  test('restores a deleted child that is named', async () => {
    const { graph } = await change([input('t_Line', { id: 'gone' })]);
    expect(summary(graph)).toEqual({ nodes: ['update o', 'update gone'], removed: ['l1', 'l2'] });
    const [, restored] = graph.nodes;
    expect([restored?.before?.get('deletedDate'), restored?.after.get('deletedDate')]).toEqual([
      '2026-01-01T00:00:00.000',
      null,
    ]);
  });

  test('refuses a child whose version is not the stored one', async () => {
    expect(await errorOf(change([input('t_Line', { id: 'l1', version: '0' })]))).toBe('DATA_OPTIMISTIC_LOCK');
  });

  test('sets to null what a sibling names and a stored child does not', async () => {
    const lines = [input('t_Line', { id: 'l1' }), input('t_Line', { id: 'l2', values: { name: 'TWO' } })];
    const { graph } = await change(lines);
    expect(graph.nodes.slice(1).map(({ after }) => after.get('name'))).toEqual([null, 'TWO']);
  });

  test('asks for the security token of each stored instance, and of no new one', async () => {
    const asked: string[] = [];
    const assertToken: WriteRights['assertToken'] = (_, { key }, parentPath) => asked.push(`${key[0]} ${parentPath}`);
    await change([input('t_Line', { id: 'l1' }), input('t_Line')], { assertToken });
    expect(asked).toEqual(['o undefined', 'l1 order']);
  });

  test('is loaded by as many statements for fifty children as for one', async () => {
    const statements = async (count: number): Promise<number> => {
      const line = Array.from({ length: count }, (_, at) => ({ id: `l${at}`, order_id: 'o' }));
      const lines = line.map(({ id }) => input('t_Line', { id, many: { parts: [] } }));
      return (await build(input('t_Order', { many: { lines } }), { tables: { order: [ORDER], line } })).sent.length;
    };
    expect(await statements(50)).toBe(await statements(1));
  });
});

describe('a 1:1 composition of a stored instance', () => {
  const tables = { order: [{ ...ORDER, photo_id: 'p' }], photo: [{ id: 'p', title: 'old' }] };

  test('changes the stored child, with any id in the request', async () => {
    const photo = input('t_Photo', { id: 'other', values: { title: 'new' } });
    const { graph } = await build(input('t_Order', { one: { photo } }), { tables });
    expect(summary(graph)).toEqual({ nodes: ['update o', 'update p'], removed: [] });
    expect(graph.nodes[1]?.after.get('title')).toBe('new');
    expect(graph.nodes[0]?.after.get('photo')).toEqual({ key: canonicalKey(['p']) });
  });

  test('loses the link and the child where null is sent', async () => {
    const { graph } = await build(input('t_Order', { one: { photo: null } }), { tables });
    expect(summary(graph)).toEqual({ nodes: ['update o'], removed: ['p'] });
    expect(graph.removals[0]?.isTarget).toBe(true);
    expect(graph.nodes[0]?.after.get('photo')).toBeNull();
  });

  test('loses the link to a child that is deleted already, which is not removed again', async () => {
    const photo = [{ id: 'p', title: 'old', deleted_date: '2026-01-01T00:00:00.000' }];
    const { graph } = await build(input('t_Order', { one: { photo: null } }), { tables: { ...tables, photo } });
    expect(summary(graph)).toEqual({ nodes: ['update o'], removed: [] });
    expect(graph.nodes[0]?.after.get('photo')).toBeNull();
  });
});

test('an element collection is loaded only where it is named', async () => {
  const tables = { order: [ORDER], order_labels: [{ order_id: 'o', value: 'a' }] };
  const { graph } = await build(input('t_Order', { values: { labels: ['b'] } }), { tables });
  expect([graph.nodes[0]?.before?.get('labels'), graph.nodes[0]?.after.get('labels')]).toEqual([['a'], ['b']]);
  expect((await build(input('t_Order', { values: { number: 'B' } }), { tables })).sent).toEqual([]);
});

describe('a 1:N association of a stored instance', () => {
  const tables = {
    order: [ORDER],
    note: [
      { id: 'n1', order_id: 'o' },
      { id: 'n2', order_id: 'o' },
      { id: 'n3', order_id: 'other' },
    ],
  };
  const change = (notes: readonly string[], rights: WriteRights = {}, options: InputOptions = {}) =>
    build(input('t_Order', { ...options, values: { notes: notes.map((id) => ({ key: canonicalKey([id]) })) } }), {
      tables,
      rights,
    });
  const links = ({ graph }: { readonly graph: SaveGraph }) =>
    graph.nodes.slice(1).map(({ key, before, after }) => [key[0], before?.get('order'), after.get('order')]);

  test('points new members at the instance, takes the link from members that are not named, and removes none', async () => {
    const changed = await change(['n1', 'n3']);
    expect(links(changed)).toEqual([
      ['n3', { key: canonicalKey(['other']) }, { key: canonicalKey(['o']) }],
      ['n2', { key: canonicalKey(['o']) }, null],
    ]);
    expect(changed.graph.removals).toEqual([]);
  });

  test('leaves members that the caller does not see, now or when the instance was read', async () => {
    expect(links(await change([], sees('n1')))).toEqual([['n1', { key: canonicalKey(['o']) }, null]]);
    expect(links(await change([], {}, { hiddenAtRead: new Map([['notes', [canonicalKey(['n1'])]]]) }))).toEqual([
      ['n2', { key: canonicalKey(['o']) }, null],
    ]);
  });

  test('refuses a member that is not there like one that the caller does not see', async () => {
    expect(await errorOf(change(['missing']))).toBe('DATA_UPDATE_FAILED');
    expect(await errorOf(change(['n1', 'n2', 'n3'], sees('n1', 'n2')))).toBe('DATA_UPDATE_FAILED');
  });
});
