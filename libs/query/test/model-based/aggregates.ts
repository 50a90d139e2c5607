import type { Entity } from '@lintel/metadata';
import type { Caller } from './caller.ts';
import { compareWith, type Meaning, membersAt, valueAt } from './conditions.ts';
import { Floating, Near, Numeric } from './exact.ts';
import { instanceName } from './objects.ts';
import { addDecimals, decimalOf, type Scalar, type ScalarType, shapeScalar } from './scalars.ts';
import { bucketOf, type Unit } from './times.ts';
import { and, not, or, type Truth } from './truth.ts';
import { type Instance, rowsOf, type World } from './world.ts';

/** A value that rows are grouped by; `type` is the type of the value that is shown. */
export interface Group {
  readonly name: string;
  readonly path: string;
  readonly type: ScalarType;
  readonly bucket?: Bucket | undefined;
  /** The caption of an enum, or the instance name of the entity. */
  readonly caption?: { readonly name: string; readonly of: Entity | undefined } | undefined;
}

export interface Bucket {
  readonly unit: Unit;
  /** The type of the attribute. */
  readonly of: string;
  /** Hours that the clock of the zone is ahead of UTC. */
  readonly hours: number;
  readonly fill: boolean;
}

export type AggregateName = 'count' | 'countDistinct' | 'sum' | 'avg' | 'min' | 'max' | 'percentile';

export interface Aggregate {
  readonly name: string;
  readonly function: AggregateName;
  /** Without a path all rows are counted. */
  readonly path: string | undefined;
  /** The path of the members, and the path of the value from there on. */
  readonly collection?: { readonly path: string; readonly target: Entity | undefined; readonly rest: string };
  /** Type of the values. */
  readonly type: ScalarType;
  readonly at?: string;
}

/** A request for groups and aggregates: contract/aggregates.md#request. */
export interface Aggregation {
  readonly groups: readonly Group[];
  readonly values: readonly Aggregate[];
  /** Its paths are names. */
  readonly having: Meaning | undefined;
}

const LONG: ScalarType = { kind: 'datatype', datatype: 'long' };
const DECIMAL: ScalarType = { kind: 'datatype', datatype: 'decimal' };
const TEXT: ScalarType = { kind: 'datatype', datatype: 'string' };

/** A value of the response; floating-point totals, and averages, are known about. */
export type Cell =
  | { readonly type: ScalarType; readonly value: Scalar | null }
  | { readonly type: undefined; readonly value: Near };

export type Cells = ReadonlyMap<string, Cell>;

/** The order of two values; the database alone knows the order of texts. */
export type Compare = (type: ScalarType, one: Scalar, other: Scalar) => number;

/** The rows of a response, in any order, written from contract/aggregates.md. */
export function expectedGroups(
  world: World,
  caller: Caller,
  entity: Entity,
  { groups, values, having }: Aggregation,
  rows: readonly Instance[],
  compare: Compare,
): readonly Cells[] {
  const at = (row: Instance, path: string): Scalar | null => valueAt(world, caller, entity, row, path.split('.'));
  const keyed = rows.map((row) => ({
    row,
    key: groups.map(({ path, type, bucket }): Cell => {
      const value = at(row, path);
      return {
        type,
        value:
          value === null || bucket === undefined
            ? value
            : bucketOf(String(value), bucket.of, bucket.unit, bucket.hours),
      };
    }),
  }));
  const byKey = Map.groupBy(keyed, ({ key }) => JSON.stringify(key.map(canonical)));
  const found =
    groups.length === 0
      ? [{ key: [], members: rows }]
      : [...byKey.values()].map((members) => ({
          key: members[0]?.key ?? [],
          members: members.map(({ row }) => row),
        }));
  const cells = found.map(({ key, members }): Cells => {
    const shown = groups.map(({ name }, index) => [name, key[index] as Cell] as const);
    const captions = groups.flatMap(({ caption }, index) =>
      caption === undefined ? [] : [[caption.name, captionOf(caption.of, key[index] as Cell)] as const],
    );
    return new Map([...shown, ...captions, ...values.map((one) => [one.name, aggregate(members, one)] as const)]);
  });
  const kept = cells.filter((row) => having === undefined || keeps(row, having) === true);
  return filled(kept, groups, values);

  /** Without a locale, constants have no other captions than their names. */
  function captionOf(of: Entity | undefined, { value }: Cell): Cell {
    const named = of && rowsOf(world, of).find((row) => value !== null && String(row.key[0]) === String(value));
    const text = of === undefined ? (value as Scalar | null) : null;
    return { type: TEXT, value: named === undefined ? text : instanceName({ world, caller }, of as Entity, named) };
  }

  function aggregate(members: readonly Instance[], one: Aggregate): Cell {
    const { function: name, path, collection } = one;
    if (path === undefined) return { type: LONG, value: String(members.length) };
    const all = members.flatMap((row): readonly (Scalar | null)[] => {
      if (collection === undefined) return [at(row, path)];
      const reached = membersAt(world, caller, entity, row, collection.path.split('.'));
      if (collection.rest === '') return reached.map(() => 1);
      const target = collection.target as Entity;
      return reached.map((member) => valueAt(world, caller, target, member as Instance, collection.rest.split('.')));
    });
    const present = all.filter((value) => value !== null);
    const ordered = name === 'count' || name === 'sum' ? present : present.toSorted((a, b) => compare(one.type, a, b));
    switch (name) {
      case 'count':
        return { type: LONG, value: String(present.length) };
      case 'countDistinct':
        return {
          type: LONG,
          value: String(new Set(present.map((value) => canonical({ type: one.type, value }))).size),
        };
      case 'min':
        return { type: one.type, value: ordered[0] ?? null };
      case 'max':
        return { type: one.type, value: ordered.at(-1) ?? null };
      case 'percentile':
        return { type: one.type, value: ordered[rankOf(one.at ?? '0', ordered.length)] ?? null };
      case 'sum':
      case 'avg':
        return total(name, one.type, present);
      default:
        return name satisfies never;
    }
  }
}

/** Index of the first value that so many of all do not exceed. */
function rankOf(at: string, count: number): number {
  const { digits, scale } = decimalOf(at);
  const unit = 10n ** BigInt(scale);
  return Math.max(Number((digits * BigInt(count) + unit - 1n) / unit) - 1, 0);
}

export const isFloating = (type: ScalarType): boolean =>
  type.kind === 'datatype' && (type.datatype === 'float' || type.datatype === 'double');

function total(name: 'sum' | 'avg', type: ScalarType, values: readonly Scalar[]): Cell {
  if (values.length === 0) return { type: DECIMAL, value: null };
  if (!isFloating(type)) {
    const sum = values.map(String).reduce(addDecimals);
    if (name === 'sum') return { type: DECIMAL, value: sum };
    const mean = Number(sum) / values.length;
    return { type: undefined, value: new Near(mean, Math.abs(mean) * 1e-12) };
  }
  const numbers = values.map(Number);
  const [sum, size] = [numbers, numbers.map(Math.abs)].map((all) => all.reduce((one, other) => one + other, 0));
  const count = name === 'avg' ? values.length : 1;
  const precision = type.kind === 'datatype' && type.datatype === 'float' && name === 'sum' ? 1e-5 : 1e-12;
  return { type: undefined, value: new Near((sum ?? 0) / count, (precision * (size ?? 0)) / count) };
}

/** Equal for equal values. */
export function canonical({ type, value }: Cell): string | null {
  if (type === undefined || value === null) return null;
  if (isFloating(type)) return String(Number(value) + 0);
  return type.kind === 'datatype' && type.datatype === 'decimal' ? addDecimals(String(value), '0') : String(value);
}

/** The next unit after one, of units that can be filled in these tests. */
const following = (day: string): string => `${String(Number(day.slice(0, 4)) + 1).padStart(4, '0')}${day.slice(4)}`;

/** Adds the years between the first and the last one, for all values of the other groups. */
function filled(rows: readonly Cells[], groups: readonly Group[], values: readonly Aggregate[]): readonly Cells[] {
  const by = groups.find(({ bucket }) => bucket?.fill === true);
  if (by === undefined) return rows;
  const years = rows.flatMap((row) => (row.get(by.name)?.value ?? []) as string | []).sort();
  const [first, last] = [years[0], years.at(-1)];
  if (first === undefined || last === undefined) return rows;
  const range = [first];
  // Compared as a whole: the year after 9999 has five digits.
  for (let year = first; year !== last; range.push(year)) year = following(year);
  const others = groups.filter((group) => group !== by);
  const keyOf = (row: Cells): string => JSON.stringify(others.map(({ name }) => canonical(row.get(name) as Cell)));
  const added = [...Map.groupBy(rows, keyOf).values()].flatMap((same): readonly Cells[] => {
    const present = new Set(same.map((row) => row.get(by.name)?.value));
    // A value that occurs without a date alone stays as it is.
    if (present.size === 1 && present.has(null)) return [];
    const missing: Cells[] = [];
    for (const year of range) {
      if (present.has(year)) continue;
      const captions = groups.flatMap(({ caption }) => caption?.name ?? []);
      const shown = [...groups.map(({ name }) => name), ...captions].map((name) => {
        const cell = name === by.name ? { type: by.type, value: year } : (same[0]?.get(name) as Cell);
        return [name, cell] as const;
      });
      const empty = values.map(({ name, function: of }) => {
        const cell: Cell = of.startsWith('count') ? { type: LONG, value: '0' } : { type: DECIMAL, value: null };
        return [name, cell] as const;
      });
      missing.push(new Map([...shown, ...empty]));
    }
    return missing;
  });
  return [...rows, ...added];
}

/** Whether the row keeps a condition on its names. */
function keeps(row: Cells, meaning: Meaning): Truth {
  switch (meaning.kind) {
    case 'and':
      return and(meaning.members.map((member) => keeps(row, member)));
    case 'or':
      return or(meaning.members.map((member) => keeps(row, member)));
    case 'not':
      return not(keeps(row, meaning.member));
    case 'test': {
      const { test, path } = meaning;
      const { type, value } = row.get(path) ?? { type: undefined, value: null };
      if (test.kind === 'null') return (value === null) !== test.negated;
      const [operand] = test.kind === 'scalars' ? test.operands : [];
      if (test.kind !== 'scalars' || type === undefined) throw new Error(`No such test of ${path}`);
      return value === null || operand === null || operand === undefined
        ? null
        : compareWith(type, test.operator, value, operand);
    }
    default:
      throw new Error(`Groups know no ${meaning.kind}`);
  }
}

/** The value as JSON shows it. */
export function shapeCell(cell: Cell): unknown {
  if (cell.type === undefined || cell.value === null) return cell.value;
  const { type, value } = cell;
  if (type.kind === 'enum') return value;
  if (isFloating(type)) return new Floating(Number(value), type.datatype === 'float');
  return ['short', 'int', 'long', 'bigInteger', 'decimal'].includes(type.datatype)
    ? new Numeric(addDecimals(String(value), '0'))
    : shapeScalar(type, value);
}

/** Types whose values have an order that `compare` knows. */
export const hasOrder = (type: ScalarType): boolean =>
  type.kind === 'datatype' && !['boolean', 'uuid', 'byteArray'].includes(type.datatype);

export const isNumber = (type: ScalarType): boolean =>
  type.kind === 'datatype' &&
  ['short', 'int', 'long', 'bigInteger', 'decimal', 'float', 'double'].includes(type.datatype);
