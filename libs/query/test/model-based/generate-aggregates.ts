import { type Attribute, type Entity, entityOf, isLocal, isToMany } from '@lintel/metadata';
import { type Aggregate, type AggregateName, type Aggregation, type Group, hasOrder, isNumber } from './aggregates.ts';
import { between, type Choose, chance, pick, times } from './choose.ts';
import type { Meaning } from './conditions.ts';
import { Exact } from './exact.ts';
import { type ChosenPath, choosePath, collectionsOf, presentValues } from './generate-filter.ts';
import { keyAttributesOf, scalarTypeOf } from './generate-world.ts';
import type { Scalar, ScalarType } from './scalars.ts';
import { generateOperand, sentForm } from './sent-values.ts';
import { isDate, isMoment, UNITS, ZONES } from './times.ts';
import type { World } from './world.ts';

/** Groups and aggregates as a client asks for them, and what they mean. */
export interface SentAggregation {
  readonly members: Readonly<Record<string, unknown>>;
  readonly aggregation: Aggregation;
  /** Names that results are ordered by: values that have one exact form. */
  readonly sortable: readonly string[];
}

/** A single value: of a reference, the key. */
interface Single {
  readonly path: string;
  readonly owner: Entity;
  readonly leaf: Attribute;
  readonly type: ScalarType;
  readonly isReference?: true;
}

const LONG: ScalarType = { kind: 'datatype', datatype: 'long' };
const DECIMAL: ScalarType = { kind: 'datatype', datatype: 'decimal' };
const DATE: ScalarType = { kind: 'datatype', datatype: 'localDate' };

/** A value that can be grouped and aggregated. */
function chooseSingle(choose: Choose, world: World, entity: Entity): Single | undefined {
  const may = (attribute: Attribute): boolean => attribute.kind !== 'elements' && !isToMany(attribute);
  return times(6, () => choosePath(choose, world, entity, may)).flatMap((chosen) => singleOf(world, chosen))[0];
}

function singleOf({ model }: World, chosen: ChosenPath | undefined): readonly Single[] {
  if (chosen === undefined) return [];
  const { path, owner, leaf } = chosen;
  if (isLocal(leaf)) {
    const type = scalarTypeOf(model, leaf);
    return type.kind === 'datatype' && type.datatype === 'byteArray' ? [] : [{ path, owner, leaf, type }];
  }
  if (leaf.kind !== 'reference') return [];
  const target = entityOf(model, leaf.target);
  const [key, more] = keyAttributesOf(model, target);
  return key === undefined || more !== undefined || target.attributes.get(key.name) !== key
    ? []
    : [{ path, owner: target, leaf: key, type: scalarTypeOf(model, key), isReference: true }];
}

/** Groups, aggregates and a condition of the groups. */
export function generateAggregation(choose: Choose, world: World, entity: Entity): SentAggregation {
  const names = new Set<string>();
  const nameOf = (wanted: string): string => {
    const name = wanted.length > 60 || names.has(wanted) ? `v${names.size}` : wanted;
    names.add(name);
    return name;
  };
  const groups = times(between(choose, 0, 3), () => generateGroup(choose, world, entity, nameOf)).flat();
  const [filled] = groups.filter(({ group }) => group.bucket?.fill === true);
  const kept = groups.filter((one) => one.group.bucket?.fill !== true || one === filled);
  const values = times(between(choose, kept.length === 0 ? 1 : 0, 3), () =>
    generateAggregate(choose, world, entity, nameOf),
  ).flat();
  const counted = { name: nameOf('n'), function: 'count', path: undefined, type: LONG } as const;
  const all: readonly Asked[] = [...values, { json: { count: '*' }, value: counted, single: undefined }];
  const comparable = [
    ...kept.map(({ group, single }) => ({ ...group, single: group.bucket === undefined ? single : undefined })),
    ...all.flatMap(({ value, single }) => comparableOf(value, single)),
  ];
  const having = filled === undefined && chance(choose, 40) ? generateHaving(choose, world, comparable, 0) : undefined;
  const form = (value: unknown): unknown => (chance(choose, 20) ? JSON.stringify(value) : value);
  return {
    members: {
      ...(kept.length === 0 ? {} : { groupBy: form(kept.map(({ json }) => json)) }),
      aggregates: form(Object.fromEntries(all.map(({ json, value }) => [value.name, json]))),
      ...(having === undefined ? {} : { having: form(having.json) }),
    },
    aggregation: {
      groups: kept.map(({ group }) => group),
      values: all.map(({ value }) => value),
      having: having?.meaning,
    },
    sortable: comparable.map(({ name }) => name),
  };
}

function generateGroup(choose: Choose, world: World, entity: Entity, nameOf: (wanted: string) => string) {
  const single = chooseSingle(choose, world, entity);
  if (single === undefined) return [];
  const { path, type } = single;
  const name = nameOf(chance(choose, 70) ? path : pick(choose, ['as', 'x+y', 'a.b']));
  const of = type.kind === 'datatype' ? type.datatype : '';
  const units = UNITS.filter((unit) => isMoment(of) || !['minute', 'hour'].includes(unit));
  const isBucket = (isDate(of) || isMoment(of)) && chance(choose, 70);
  if (!isBucket) {
    const isNamed = (single.isReference || type.kind === 'enum') && chance(choose, 60);
    const caption = isNamed
      ? { name: nameOf('caption'), of: single.isReference ? single.owner : undefined }
      : undefined;
    const isPlain = name === path && caption === undefined && chance(choose, 50);
    const json = isPlain
      ? path
      : { attribute: path, as: name, ...(caption === undefined ? {} : { captionAs: caption.name }) };
    const group: Group = { name, path: pathOfValue(single), type, caption };
    return [{ json, group, single }];
  }
  const [unit, { hours, ...zone }] = [pick(choose, units), pick(choose, ZONES)];
  // Of longer units, no response of this test has too many.
  const fill = unit === 'year' && chance(choose, 60);
  const bucket = { unit, of, hours, fill };
  const shown = unit === 'minute' || unit === 'hour' ? type : DATE;
  const group: Group = { name, path, type: shown, bucket };
  return [{ json: { attribute: path, by: unit, as: name, ...zone, ...(fill ? { fill } : {}) }, group, single }];
}

/** Where the value of a reference is found. */
const pathOfValue = ({ path, leaf, isReference }: Single): string => (isReference ? `${path}.${leaf.name}` : path);

interface Asked {
  readonly json: unknown;
  readonly value: Aggregate;
  readonly single: Single | undefined;
}

function generateAggregate(
  choose: Choose,
  world: World,
  entity: Entity,
  nameOf: (wanted: string) => string,
): readonly Asked[] {
  const collections = collectionsOf(world, entity);
  if (collections.length > 0 && chance(choose, 45))
    return generateMemberAggregate(choose, world, pick(choose, collections), nameOf);
  const single = chooseSingle(choose, world, entity);
  if (single === undefined) return [];
  const { path, type } = single;
  const name = pick(choose, functionsOf(type, ['count', 'countDistinct', 'percentile']));
  const at = name === 'percentile' ? pick(choose, ['0', '0.1', '0.25', '0.5', '0.75', '0.9', '1', '1.0']) : undefined;
  const json = { [name]: path, ...(at === undefined ? {} : { at: new Exact(at) }) };
  const value = {
    ...{ name: nameOf(`${name}${path.replaceAll('.', '_')}`), function: name, path: pathOfValue(single), type },
    ...(at === undefined ? {} : { at }),
  };
  return [{ json, value, single }];
}

function generateMemberAggregate(
  choose: Choose,
  world: World,
  { path: collection, leaf }: ChosenPath,
  nameOf: (wanted: string) => string,
): readonly Asked[] {
  const target = leaf.kind === 'reference' ? entityOf(world.model, leaf.target) : undefined;
  const single = target === undefined || chance(choose, 30) ? undefined : chooseSingle(choose, world, target);
  const [rest, sent] = single === undefined ? ['', ''] : [pathOfValue(single), `.${single.path}`];
  const type = single?.type ?? LONG;
  const name = single === undefined ? 'count' : pick(choose, functionsOf(type, ['count']));
  const value: Aggregate = {
    ...{ name: nameOf(`${name}s`), function: name, path: `${collection}${rest === '' ? '' : `.${rest}`}`, type },
    collection: { path: collection, target, rest },
  };
  return [{ json: { [name]: `${collection}${sent}` }, value, single }];
}

const functionsOf = (type: ScalarType, others: readonly AggregateName[]): readonly AggregateName[] => [
  ...others.filter((name) => name !== 'percentile' || hasOrder(type)),
  ...(isNumber(type) ? (['sum', 'avg'] as const) : []),
  ...(hasOrder(type) ? (['min', 'max'] as const) : []),
];

interface Comparable {
  readonly name: string;
  readonly type: ScalarType;
  /** Where values to compare with come from. */
  readonly single: Single | undefined;
}

/** Results that have one exact form. */
function comparableOf({ name, function: of, type }: Aggregate, single: Single | undefined): readonly Comparable[] {
  if (of === 'count' || of === 'countDistinct') return [{ name, type: LONG, single: undefined }];
  if (of === 'min' || of === 'max' || of === 'percentile') return [{ name, type, single }];
  const isExact = of === 'sum' && type.kind === 'datatype' && !['float', 'double'].includes(type.datatype);
  return isExact ? [{ name, type: DECIMAL, single: undefined }] : [];
}

interface Having {
  readonly json: unknown;
  readonly meaning: Meaning;
}

function generateHaving(choose: Choose, world: World, values: readonly Comparable[], depth: number): Having {
  const parts = times(between(choose, 1, 2), () => {
    if (depth >= 2 || chance(choose, 70)) return conditionOn(choose, world, pick(choose, values));
    const { json, meaning } = generateHaving(choose, world, values, depth + 1);
    const group = pick(choose, ['and', 'or', 'not'] as const);
    const members = meaning.kind === 'and' ? meaning.members : [];
    const joined: Meaning = { kind: group === 'and' ? 'and' : 'or', members };
    return {
      json: { ...(json as object), group: group.toUpperCase() },
      meaning: group === 'not' ? ({ kind: 'not', member: joined } as const) : joined,
    };
  });
  return {
    json: { conditions: parts.map(({ json }) => json) },
    meaning: { kind: 'and', members: parts.map(({ meaning }) => meaning) },
  };
}

function conditionOn(choose: Choose, world: World, { name, type, single }: Comparable): Having {
  if (chance(choose, 15) || (single === undefined && type === DATE)) {
    const negated = chance(choose, 50);
    const json = { property: name, operator: negated ? 'notEmpty' : 'isNull' };
    return { json, meaning: { kind: 'test', path: name, test: { kind: 'null', negated } } };
  }
  const isText = type.kind === 'enum' || ['string', 'char', 'uri', 'fileRef'].includes(type.datatype);
  const operator = pick(choose, ['=', '<>', ...(isText || !hasOrder(type) ? [] : ['>', '>=', '<', '<='])]);
  const { json, value } = operandOf(choose, world, type, single);
  return {
    json: { property: name, operator, value: json },
    meaning: { kind: 'test', path: name, test: { kind: 'scalars', operator, operands: [value] } },
  };
}

function operandOf(choose: Choose, world: World, type: ScalarType, single: Single | undefined) {
  if (single !== undefined)
    return generateOperand(choose, world.model, single.leaf, presentValues(world, single.owner, single.leaf));
  const value: Scalar = type.kind === 'datatype' && isMoment(type.datatype) ? moment(type) : between(choose, 0, 4);
  return sentForm(choose, type, String(value));
}

const moment = (type: ScalarType): string =>
  `2024-02-29T12:30:00.000${type.kind === 'datatype' && type.datatype === 'offsetDateTime' ? 'Z' : ''}`;
