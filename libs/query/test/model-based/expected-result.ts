import { type Attribute, type Entity, entityOf, isToOne, treeParentOf } from '@lintel/metadata';
import {
  type Aggregation,
  type Cell,
  type Cells,
  type Compare,
  canonical,
  expectedGroups,
  shapeCell,
} from './aggregates.ts';
import { type Caller, hasPredicates, isKey, mayView } from './caller.ts';
import { holds, isVisible, type Meaning, seenTargets } from './conditions.ts';
import { dynamicOf } from './dynamic.ts';
import { namedAttributes, type Plan, type Selection, selectionsOf } from './fetch-plans.ts';
import { keyAttributesOf, scalarTypeOf } from './generate-world.ts';
import { type SelectedMembers, shapeObject } from './objects.ts';
import { compareScalars, type Scalar, type ScalarType } from './scalars.ts';
import { type Embedded, type Instance, isInstance, keyText, rowsOf, type World } from './world.ts';

/** One request, as the naive evaluation understands it. */
export interface Question {
  readonly operation: 'instance' | 'list' | 'count' | 'aggregates';
  readonly entity: Entity;
  readonly key: readonly Scalar[] | undefined;
  readonly filter: Meaning | undefined;
  /** The sort has its names. */
  readonly aggregation?: Aggregation | undefined;
  readonly sort: readonly { readonly path: string; readonly descending: boolean }[];
  readonly limit: number | undefined;
  readonly offset: number | undefined;
  readonly plan: Plan;
  readonly isDefaultPlan: boolean;
  readonly returnNulls: boolean;
  /** `dynamicAttributes`. */
  readonly dynamic: boolean;
}

/** Where a text stands among others; the database alone knows its collation. */
export type TextRank = (text: string) => number;

export type ExpectedResult =
  | { readonly kind: 'refused' }
  | { readonly kind: 'count'; readonly count: number }
  | {
      readonly kind: 'rows';
      readonly rows: readonly unknown[];
      /** Number of groups on all pages. */
      readonly groups?: number;
      /** Rows with the same text may come in any order among themselves. */
      readonly positions: readonly string[];
    };

/**
 * The correct result of a request: it tests every row, sorts the rest and takes the page. Slow on purpose; written
 * from contract/reading.md#reading and contract/filters.md#filters.
 */
export function expectedResult(world: World, caller: Caller, question: Question, rank: TextRank): ExpectedResult {
  const { entity, filter, sort, aggregation } = question;
  const named = aggregation === undefined ? sort.map(({ path }) => path) : aggregatedPaths(aggregation);
  const paths = [...(filter === undefined ? [] : pathsOf(filter)), ...named];
  if (filter !== undefined && !maySeeTrees(world, caller, filter)) return { kind: 'refused' };
  if (caller.unreadable.has(entity.name)) return { kind: 'refused' };
  if (question.operation !== 'instance' && paths.some((path) => !mayFollow(world, caller, entity, path)))
    return { kind: 'refused' };
  // A count does not show the plan, but the plan is checked.
  if (!mayShow(world, caller, entity, question.plan)) return { kind: 'refused' };
  const found = rowsOf(world, entity).filter(
    (row) =>
      !row.isDeleted &&
      isVisible(world, caller, row) &&
      (question.key === undefined || keyText(question.key) === keyText(row.key)) &&
      (filter === undefined || holds(world, caller, entity, row, filter) === true),
  );
  if (question.operation === 'count') return { kind: 'count', count: found.length };
  if (aggregation !== undefined) {
    if (hasPredicates(world.model, caller, entity)) return { kind: 'refused' };
    return pageOfGroups(question, expectedGroups(world, caller, entity, aggregation, found, orderOf(rank)), rank);
  }
  const sorted = sortRows(world, caller, question, found, rank);
  const start = question.offset ?? 0;
  const page = sorted.slice(start, question.limit === undefined ? undefined : start + question.limit);
  const showing = {
    world,
    caller,
    returnNulls: question.returnNulls,
    dynamic: question.dynamic,
    isDefault: question.isDefaultPlan,
    select: (target: Entity, members: readonly Instance[], selection: Selection): SelectedMembers => {
      const { filter: kept, offset = 0, limit } = selection;
      const all = members.filter((one) => kept === undefined || holds(world, caller, target, one, kept) === true);
      const order = { entity: target, sort: selection.sort, limit, offset };
      const rows = sortRows(world, caller, order, all, rank).map(({ row }) => row);
      return { all: rows, page: rows.slice(offset, limit === undefined ? undefined : offset + limit) };
    },
  };
  return {
    kind: 'rows',
    rows: page.map(({ row }) => shapeObject(showing, entity, row, question.plan)),
    positions: page.map(({ position }) => position),
  };
}

const aggregatedPaths = ({ groups, values }: Aggregation): readonly string[] => [
  ...groups.map(({ path }) => path),
  ...values.flatMap(({ path }) => path ?? []),
];

/** The order of single values, as PostgreSQL has it. */
const orderOf =
  (rank: TextRank): Compare =>
  (type, one, other) => {
    if (isCollated(type)) return rank(storedText({ type, value: one })) - rank(storedText({ type, value: other }));
    // Enums sort by what is stored.
    return type.kind === 'enum'
      ? Number(storedText({ type, value: one })) - Number(storedText({ type, value: other }))
      : compareScalars(type, one, other);
  };

/** Nulls are greater than everything; after the requested order, groups are ordered by their values. */
function pageOfGroups(question: Question, groups: readonly Cells[], rank: TextRank): ExpectedResult {
  const { aggregation, sort, limit, offset = 0 } = question;
  const names = aggregation?.groups.map(({ name }) => ({ path: name, descending: false })) ?? [];
  const compare = orderOf(rank);
  const order = (one: Cell | undefined, other: Cell | undefined): number => {
    if (one?.type === undefined || other?.type === undefined) throw new Error('Nothing sorts by inexact values');
    if (one.value === null || other.value === null) return Number(one.value === null) - Number(other.value === null);
    return compare(one.type, one.value, other.value);
  };
  const sorted = groups.toSorted((one, other) => {
    for (const { path, descending } of [...sort, ...names]) {
      const found = order(one.get(path), other.get(path));
      if (found !== 0) return descending ? -found : found;
    }
    return 0;
  });
  const page = sorted.slice(offset, limit === undefined ? undefined : offset + limit);
  const rows = page.map((row) => Object.fromEntries([...row].map(([name, cell]) => [name, shapeCell(cell)])));
  return { kind: 'rows', rows, groups: groups.length, positions: [] };
}

/** Whether the caller may select the members of all collections that the plan shows. */
function mayShow(world: World, caller: Caller, entity: Entity, plan: Plan): boolean {
  const { model } = world;
  return [...plan].every(([name, below]) => {
    const attribute = entity.attributes.get(name);
    if (attribute?.kind !== 'reference' && attribute?.kind !== 'embedded') return true;
    if (attribute.secret || isKey(entity, attribute) || !mayView(model, caller, entity, attribute)) return true;
    const target = entityOf(model, attribute.target);
    const selection = selectionsOf.get(plan)?.get(name);
    if (selection !== undefined) {
      const { filter, sort, limit, offset, count } = selection;
      const paths = [...(filter === undefined ? [] : pathsOf(filter)), ...sort.map(({ path }) => path)];
      if (!paths.every((path) => mayFollow(world, caller, target, path))) return false;
      if (filter !== undefined && !maySeeTrees(world, caller, filter)) return false;
      const isPart = limit !== undefined || offset !== undefined || count;
      if (isPart && hasPredicates(model, caller, target)) return false;
    }
    return below === undefined || mayShow(world, caller, target, below);
  });
}

export function pathsOf(meaning: Meaning): readonly string[] {
  switch (meaning.kind) {
    case 'and':
    case 'or':
      return meaning.members.flatMap(pathsOf);
    case 'not':
      return pathsOf(meaning.member);
    case 'attributes':
      return [meaning.path, meaning.other];
    case 'members':
      return [meaning.path, ...pathsOf(meaning.member).map((path) => `${meaning.path}.${path}`)];
    case 'test':
      return [meaning.path, ...(meaning.test.kind === 'tree' ? [meaning.test.parent] : [])];
    case 'constant':
      return [];
    default:
      return meaning satisfies never;
  }
}

function maySeeTrees(world: World, caller: Caller, meaning: Meaning): boolean {
  if (meaning.kind === 'and' || meaning.kind === 'or')
    return meaning.members.every((member) => maySeeTrees(world, caller, member));
  if (meaning.kind === 'not' || meaning.kind === 'members') return maySeeTrees(world, caller, meaning.member);
  if (meaning.kind !== 'test' || meaning.test.kind !== 'tree') return true;
  const { tree } = meaning.test;
  const parent = treeParentOf(tree);
  return parent !== undefined && mayView(world.model, caller, tree, parent);
}

/** Whether the caller may filter or sort by the path (contract/decisions.md#13). */
function mayFollow({ model }: World, caller: Caller, entity: Entity, path: string): boolean {
  let owner = entity;
  for (const name of path.split('.')) {
    // There is no attribute policy about dynamic attributes.
    if (name.startsWith('+')) return true;
    const attribute = owner.attributes.get(name);
    if (attribute === undefined) throw new Error(`${owner.name} has no ${name}`);
    if (isKey(owner, attribute)) return true;
    if (!mayView(model, caller, owner, attribute)) return false;
    if (attribute.kind !== 'reference' && attribute.kind !== 'embedded') return true;
    owner = entityOf(model, attribute.target);
    if (hasPredicates(model, caller, owner)) return false;
  }
  return true;
}

interface SortedRow {
  readonly row: Instance;
  readonly position: string;
}

/** A value to sort by; null for an empty one. */
type SortValue = { readonly type: ScalarType; readonly value: Scalar } | null;

/**
 * Sorted as PostgreSQL does: nulls are greater than everything. With pages the key comes last
 * (contract/decisions.md#12).
 */
function sortRows(
  world: World,
  caller: Caller,
  { entity, sort, limit, offset }: Pick<Question, 'entity' | 'sort' | 'limit' | 'offset'>,
  rows: readonly Instance[],
  rank: TextRank,
): readonly SortedRow[] {
  const isPaged = limit !== undefined || offset !== undefined;
  const valuesOf = (row: Instance): readonly { value: SortValue; descending: boolean }[] => [
    ...sort.flatMap(({ path, descending }) =>
      sortValues(world, caller, entity, row, path.split('.')).map((value) => ({ value, descending })),
    ),
    ...(isPaged ? keyValues(world, row).map((value) => ({ value, descending: sort.at(-1)?.descending ?? false })) : []),
  ];
  const order = orderOf(rank);
  const compare = (one: SortValue, other: SortValue): number =>
    one === null || other === null
      ? Number(one === null) - Number(other === null)
      : order(one.type, one.value, other.value);
  const sorted = rows.map((row) => ({ row, values: valuesOf(row) }));
  sorted.sort((one, other) => {
    for (const [at, { value, descending }] of one.values.entries()) {
      const order = compare(value, other.values[at]?.value ?? null);
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  });
  return sorted.map(({ row, values }) => ({
    row,
    position: JSON.stringify(values.map(({ value }) => (value === null ? null : canonical(value)))),
  }));
}

const isCollated = (type: ScalarType): boolean =>
  type.kind === 'enum'
    ? typeof type.values[0]?.id === 'string'
    : ['string', 'char', 'uri', 'fileRef'].includes(type.datatype);

const storedText = ({ type, value }: NonNullable<SortValue>): string =>
  type.kind === 'enum' ? String(type.values.find(({ name }) => name === value)?.id) : String(value);

const keyValues = ({ model }: World, row: Instance | null, entity?: Entity): readonly SortValue[] =>
  keyAttributesOf(model, entity ?? (row as Instance).entity).map((part, at) => {
    const value = row?.key[at];
    return value === undefined ? null : { type: scalarTypeOf(model, part), value };
  });

function sortValues(
  world: World,
  caller: Caller,
  entity: Entity,
  holder: Instance | Embedded | null,
  [name = '', ...rest]: readonly string[],
): readonly SortValue[] {
  if (name.startsWith('+')) return [dynamicValue(world, entity, holder as Instance | null, name)];
  const attribute = entity.attributes.get(name);
  if (attribute === undefined) throw new Error(`${entity.name} has no ${name}`);
  if (rest.length === 0) return attributeValues(world, caller, entity, holder, attribute, []);
  if (attribute.kind !== 'reference' && attribute.kind !== 'embedded') throw new Error(`${name} leads nowhere`);
  const target = entityOf(world.model, attribute.target);
  if (attribute.kind === 'reference') {
    const [one = null] = holder === null ? [] : seenTargets(world, caller, holder, attribute);
    return sortValues(world, caller, target, one, rest);
  }
  const values = holder === null ? {} : isInstance(holder) ? holder.values : holder;
  return sortValues(world, caller, target, (values[name] ?? null) as Embedded | null, rest);
}

function dynamicValue(world: World, entity: Entity, holder: Instance | null, name: string): SortValue {
  if (holder === null) return null;
  const held = dynamicOf(world, entity.name, holder).find(({ member }) => member === name);
  if (held?.type === undefined) throw new Error(`${entity.name} has no ${name}`);
  const [value] = held.values;
  return value === undefined ? null : { type: held.type, value: value as Scalar };
}

/** A reference sorts by what its instance name is made of, without one by its key (contract/reading.md#sort). */
function attributeValues(
  world: World,
  caller: Caller,
  entity: Entity,
  holder: Instance | Embedded | null,
  attribute: Attribute,
  above: readonly Entity[],
): readonly SortValue[] {
  const { model } = world;
  const held = holder === null ? null : ((isInstance(holder) ? holder.values : holder)[attribute.name] ?? null);
  if (attribute.kind === 'embedded' && isKey(entity, attribute))
    return keyValues(world, holder as Instance | null, entity);
  if (attribute.kind !== 'reference')
    return [held === null ? null : { type: scalarTypeOf(model, attribute), value: held as Scalar }];
  const target = entityOf(model, attribute.target);
  const [one = null] = holder === null ? [] : seenTargets(world, caller, holder, attribute);
  const values = namedAttributes(target).flatMap((name): readonly SortValue[] => {
    const part = target.attributes.get(name);
    if (part === undefined || part.secret || !mayView(model, caller, target, part)) return [];
    if (part.kind === 'reference') {
      if (!isToOne(part)) return [];
      const next = entityOf(model, part.target);
      if (above.includes(next) || hasPredicates(model, caller, next)) return [];
    }
    return attributeValues(world, caller, target, one, part, [...above, target]);
  });
  return values.length > 0 ? values : keyValues(world, one, target);
}
