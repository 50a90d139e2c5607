import { buildModel, entityOf, keyedEntity, string, toOne } from '@lintel/metadata';
import type { Statement } from '@lintel/persistence';
import { canonicalKey } from '@lintel/query';
import { cases, fc } from '@lintel/testkit/properties';
import type { InstanceNode } from '../graph/instance-node.ts';
import { writeModelOf } from '../model/write-model.ts';
import type { Value } from '../values/value.ts';
import { planSave } from './plan-save.ts';

const model = buildModel({
  entities: [
    keyedEntity('t_Team', {
      key: 'id',
      attributes: { id: string(9), code: string(9).unique(), parent: toOne('t_Team') },
    }),
    keyedEntity('t_Member', {
      key: 'id',
      attributes: { id: string(9), name: string(9), team: toOne('t_Team').mandatory() },
    }),
    keyedEntity('t_Desk', { key: 'id', attributes: { id: string(9), member: toOne('t_Member').unique() } }),
    keyedEntity('t_Pass', { key: 'id', attributes: { id: string(9), member: toOne('t_Member').mandatory().unique() } }),
  ],
});

type Row = Readonly<Record<string, unknown>>;

const UNIQUE: Readonly<Record<string, string>> = { team: 'code', desk: 'member_id', pass: 'member_id' };
const FOREIGN: readonly (readonly [table: string, column: string, target: string])[] = [
  ['team', 'parent_id', 'team'],
  ['member', 'team_id', 'team'],
  ['desk', 'member_id', 'member'],
  ['pass', 'member_id', 'member'],
];

/** Tables that keep unique values with every row and foreign keys with every statement, as PostgreSQL does. */
class Tables {
  readonly rows = new Map<string, Row>();

  put(table: string, row: Row): void {
    const column = UNIQUE[table];
    for (const [name, other] of column === undefined ? [] : this.rows)
      if (name.startsWith(`${table} `) && name !== `${table} ${row['id']}` && other[column ?? ''] === row[column ?? ''])
        if (row[column ?? ''] !== null) throw new Error(`${table}.${column} ${row[column ?? '']} is taken`);
    this.rows.set(`${table} ${row['id']}`, row);
  }

  assertForeignKeys(): void {
    for (const [name, row] of this.rows)
      for (const [table, column, target] of FOREIGN)
        if (name.startsWith(`${table} `) && row[column] !== null && !this.rows.has(`${target} ${row[column]}`))
          throw new Error(`${name}.${column} leads nowhere`);
  }

  run({ text, values }: Statement): void {
    const [, verb, table = ''] = /^(\w+).*? "t"\."(\w+)"/.exec(text) ?? [];
    const named = [...text.replace(/^.*?"t"\."\w+"/, '').matchAll(/"(\w+)"/g)].map(([, name = '']) => name);
    // An update names its columns in the order of its values, those of the key last.
    for (const row of rowsOf(text, values, named.length)) {
      const given = Object.fromEntries(named.map((name, at) => [name, row[at]]));
      const stored = this.rows.get(`${table} ${given['id']}`);
      if ((verb === 'INSERT') !== (stored === undefined)) throw new Error(`${verb} of ${table} ${given['id']}`);
      this.put(table, { ...stored, ...given });
    }
    this.assertForeignKeys();
  }
}

/** @param width number of the columns */
const rowsOf = (text: string, values: readonly unknown[], width: number): readonly (readonly unknown[])[] =>
  text.includes('unnest(')
    ? (values[0] as readonly unknown[]).map((_, at) => values.map((column) => (column as readonly unknown[])[at]))
    : Array.from({ length: values.length / width }, (_, at) => values.slice(at * width, (at + 1) * width));

interface Instance {
  readonly table: string;
  readonly before: Row | undefined;
  readonly after: Row;
}

const COUNT = 4;
const ids = (prefix: string, count = COUNT) => Array.from({ length: count }, (_, at) => `${prefix}${at}`);
const choices = fc.array(fc.nat(1_000), { minLength: 80, maxLength: 80 });

/** Stored and new instances whose changes can be written: mandatory unique values are moved one by one to free ones. */
const saves = fc
  .record({ choices, created: fc.tuple(...Array.from({ length: 4 }, () => fc.nat(3))), newTargets: fc.boolean() })
  .map(({ choices: numbers, created, newTargets }): readonly Instance[] => {
    let at = 0;
    const next = (): number => numbers[at++ % numbers.length] ?? 0;
    const pick = <T>(items: readonly T[]): T => items[next() % items.length] as T;
    const [newTeams, newMembers, newDesks, newPasses] = [
      ids('T', created[0]),
      ids('M', created[1]),
      ids('D', created[2]),
      ids('P', created[3]),
    ];
    const codes = ids('c', 12);
    const stored = {
      teams: ids('t').map((id, index) => ({ id, code: codes[index] ?? null, parent_id: next() % 2 ? 't0' : null })),
      members: ids('m', 8).map((id) => ({ id, name: 'n', team_id: pick(ids('t')) })),
      desks: ids('d').map((id, index) => ({ id, member_id: `m${index}` })),
      passes: ids('p').map((id, index) => ({ id, member_id: `m${index}` })),
    };

    // Codes may be null, so they change in any way, rings included.
    const kept = new Set(codes.slice(0, COUNT).filter(() => next() % 2 === 0));
    const openCodes = codes
      .filter((code) => !kept.has(code))
      .map((code) => ({ code, rank: next() }))
      .sort((a, b) => a.rank - b.rank);
    const move = (from: string | null): string | null => {
      if (from !== null && kept.has(from)) return from;
      return next() % 4 === 0 ? null : (openCodes.pop()?.code ?? null);
    };
    const allTeams = [...ids('t'), ...newTeams];
    const teams = [
      ...stored.teams.map((before) => ({ before, code: move(before.code) })),
      ...newTeams.map((id) => ({ before: undefined, id, code: move(null) })),
    ].map(({ before, code, ...more }) => ({
      table: 'team',
      before,
      after: { id: before?.id ?? ('id' in more ? more.id : ''), code, parent_id: pick([null, ...allTeams]) },
    }));

    const members = [...stored.members, ...newMembers.map((id) => ({ id, name: undefined, team_id: undefined }))].map(
      ({ id, name, team_id }) => ({
        table: 'member',
        before: name === undefined ? undefined : { id, name, team_id },
        after: { id, name: pick(['n', 'x']), team_id: pick(allTeams) },
      }),
    );

    // Targets of references that may be null change in any way, rings included.
    const open = [...ids('m', 8), ...newMembers].map((id) => ({ id, rank: next() })).sort((a, b) => a.rank - b.rank);
    const target = (): string | null => (next() % 4 === 0 ? null : (open.pop()?.id ?? null));
    const desks = [...stored.desks, ...newDesks.map((id) => ({ id, member_id: undefined }))].map(
      ({ id, member_id }) => ({
        table: 'desk',
        before: member_id === undefined ? undefined : { id, member_id },
        after: { id, member_id: target() },
      }),
    );

    // Those of mandatory ones move to free ones: to new rows, or so that new rows may take what they leave.
    const held = new Set(stored.passes.map(({ member_id }) => member_id));
    const targets = [...ids('m', 8), ...(newTargets ? newMembers : [])];
    const free = (): string | undefined => pick(targets.filter((id) => !held.has(id)));
    const passes: Instance[] = stored.passes.map((before) => {
      const to = next() % 2 === 0 ? undefined : free();
      if (to === undefined) return { table: 'pass', before, after: before };
      held.delete(before.member_id);
      held.add(to);
      return { table: 'pass', before, after: { ...before, member_id: to } };
    });
    for (const id of newTargets ? [] : newPasses) {
      const to = free();
      if (to === undefined) continue;
      held.add(to);
      passes.push({ table: 'pass', before: undefined, after: { id, member_id: to } });
    }

    const all: readonly Instance[] = [...teams, ...members, ...desks, ...passes];
    return all
      .map((instance) => ({ instance, rank: next() }))
      .sort((left, right) => left.rank - right.rank)
      .map(({ instance }) => instance);
  });

const ENTITIES: Readonly<Record<string, string>> = {
  team: 't_Team',
  member: 't_Member',
  desk: 't_Desk',
  pass: 't_Pass',
};

function toNode({ table, before, after }: Instance): InstanceNode {
  const layout = writeModelOf(model).of(entityOf(model, ENTITIES[table] ?? ''));
  const valuesOf = (row: Row) =>
    new Map(
      Object.entries(row).map(([column, value]): [string, Value] => {
        const path = column.replace(/_id$/, '');
        return [path, path === column || value === null ? (value as Value) : { key: canonicalKey([value as string]) }];
      }),
    );
  return {
    entity: layout.entity,
    layout,
    key: canonicalKey([String(after['id'])]),
    kind: before === undefined ? 'create' : 'update',
    path: '',
    before: before === undefined ? undefined : valuesOf(before),
    after: valuesOf(after),
    sent: new Map(),
    children: new Map(),
  };
}

test('every statement of a plan keeps unique values and foreign keys, and the last one leaves what was asked for', () => {
  fc.assert(
    fc.property(saves, (instances) => {
      const tables = new Tables();
      for (const { table, before } of instances) if (before !== undefined) tables.put(table, before);
      tables.assertForeignKeys();
      for (const statement of planSave(model, instances.map(toNode))) tables.run(statement);
      expect(Object.fromEntries(tables.rows)).toEqual(
        Object.fromEntries(instances.map(({ table, after }) => [`${table} ${after['id']}`, after])),
      );
    }),
    cases(300),
  );
});

test('a plan that is carried out leaves nothing to be done', () => {
  fc.assert(
    fc.property(saves, (instances) => {
      const done = instances.map(({ table, after }) => toNode({ table, before: after, after }));
      expect([...planSave(model, done)]).toEqual([]);
    }),
    cases(50),
  );
});
