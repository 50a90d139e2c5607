import {
  type Attribute,
  dynamicAttributesOf,
  dynamicMemberOf,
  type Entity,
  entityOf,
  isLocal,
  isToMany,
  type Model,
} from '@lintel/metadata';
import type { Condition, RowPredicate, Value } from '@lintel/query';
import { type Caller, isKey, isOwner } from './caller.ts';
import { between, type Choose, chance, pick, some, times } from './choose.ts';
import type { Meaning } from './conditions.ts';
import type { Question } from './expected-result.ts';
import {
  builtInPlan,
  inlinePlan,
  type Plan,
  type PlanDefinition,
  type PlanItem,
  selectionOfItem,
} from './fetch-plans.ts';
import { generateAggregation } from './generate-aggregates.ts';
import {
  type Branch,
  branchOf,
  type ChosenPath,
  choosePath,
  generateFilter,
  generateKey,
  presentValues,
  type SentFilter,
} from './generate-filter.ts';
import { scalarTypeOf } from './generate-world.ts';
import { generateOperand, pathForm } from './sent-values.ts';
import type { World } from './world.ts';

/** A request as it comes to the parser, with what it means. */
export interface GeneratedRequest {
  readonly question: Question;
  readonly id: string | undefined;
  /** `svc.data.include-null-clause-in-not-conditions`. */
  readonly negationsFindNull: boolean;
  /** The members, in JSON. */
  readonly members: Readonly<Record<string, unknown>>;
}

const storedEntities = (model: Model): readonly Entity[] =>
  [...model.entities.values()].filter(({ kind }) => kind === 'entity');

/** A read of one instance, a list or a count. */
export function generateRequest(choose: Choose, world: World): GeneratedRequest {
  const { model } = world;
  const entity = pick(choose, storedEntities(model));
  const operation = pick(choose, [
    'instance',
    'list',
    'list',
    'list',
    'list',
    'count',
    'aggregates',
    'aggregates',
  ] as const);
  const key = operation === 'instance' ? generateKey(choose, world, entity).value : undefined;
  const filter = operation !== 'instance' && chance(choose, 80) ? generateFilter(choose, world, entity) : undefined;
  const negationsFindNull = chance(choose, 20);
  const meaning = filter !== undefined && negationsFindNull ? orNull(filter.meaning) : filter?.meaning;
  if (operation === 'aggregates')
    return generateAggregates(choose, world, entity, { filter, meaning, negationsFindNull });
  const isList = operation === 'list';
  const limit = isList && chance(choose, 40) ? between(choose, 0, 5) : undefined;
  const offset = isList && chance(choose, 30) ? between(choose, 0, 4) : undefined;
  const returnNulls = operation !== 'count' && chance(choose, 40);
  const dynamic = operation !== 'count' && chance(choose, 40);
  const sort = isList && chance(choose, 70) ? generateSort(choose, world, entity) : [];
  const { sent, plan } = generatePlan(choose, world, entity, negationsFindNull);
  return {
    question: {
      ...{ operation, entity, key, filter: meaning, sort, limit, offset, plan, returnNulls, dynamic },
      isDefaultPlan: sent === undefined,
    },
    id: key === undefined ? undefined : pathForm(model, entity, key),
    negationsFindNull,
    members: {
      ...(filter === undefined ? {} : { filter: filter.json }),
      ...(sort.length === 0 ? {} : { sort: sortText(choose, sort) }),
      ...(limit === undefined ? {} : { limit }),
      ...(offset === undefined ? {} : { offset: String(offset) }),
      ...(returnNulls ? { returnNulls } : {}),
      ...(dynamic ? { dynamicAttributes: pick(choose, [true, 'true']) } : {}),
      ...(sent === undefined ? {} : { fetchPlan: sent }),
    },
  };
}

interface GeneratedFilter {
  readonly filter: SentFilter | undefined;
  readonly meaning: Meaning | undefined;
  readonly negationsFindNull: boolean;
}

function generateAggregates(
  choose: Choose,
  world: World,
  entity: Entity,
  { filter, meaning, negationsFindNull }: GeneratedFilter,
): GeneratedRequest {
  const { members, aggregation, sortable } = generateAggregation(choose, world, entity);
  const { having, groups } = aggregation;
  const isFilled = groups.some(({ bucket }) => bucket?.fill === true);
  const limit = isFilled || chance(choose, 50) ? between(choose, 0, 5) : undefined;
  const offset = chance(choose, 20) ? between(choose, 0, 2) : undefined;
  const chosen = some(choose, sortable, 40).map((path) => ({ path, descending: chance(choose, 50) }));
  // Without pages, nothing orders rows with equal sort keys.
  const rest = groups.filter(({ name }) => limit === undefined && !chosen.some(({ path }) => path === name));
  const sort = [...chosen, ...rest.map(({ name: path }) => ({ path, descending: false }))];
  return {
    question: {
      ...{ operation: 'aggregates', entity, key: undefined, filter: meaning, sort, limit, offset, plan: new Map() },
      aggregation: { ...aggregation, having: having && negationsFindNull ? orNull(having) : having },
      ...{ returnNulls: true, dynamic: false, isDefaultPlan: false },
    },
    id: undefined,
    negationsFindNull,
    members: {
      ...members,
      ...(filter === undefined ? {} : { filter: filter.json }),
      ...(sort.length === 0 ? {} : { sort: sortText(choose, sort) }),
      ...(limit === undefined ? {} : { limit }),
      ...(offset === undefined ? {} : { offset }),
    },
  };
}

/** Negations that find rows without a value, too. */
function orNull(meaning: Meaning): Meaning {
  if (meaning.kind === 'and' || meaning.kind === 'or') return { ...meaning, members: meaning.members.map(orNull) };
  if (meaning.kind === 'not' || meaning.kind === 'members') return { ...meaning, member: orNull(meaning.member) };
  if (meaning.kind === 'attributes')
    return meaning.operator === '<>'
      ? { kind: 'or', members: [meaning, ...[meaning.path, meaning.other].map(isNull)] }
      : meaning;
  const { kind } = meaning;
  if (kind !== 'test' || meaning.test.kind === 'null' || meaning.test.kind === 'tree') return meaning;
  if (!['<>', 'notIn', 'doesNotContain'].includes(meaning.test.operator)) return meaning;
  return { kind: 'or', members: [meaning, isNull(meaning.path)] };
}

const isNull = (path: string): Meaning => ({ kind: 'test', path, test: { kind: 'null', negated: false } });

type Sort = Question['sort'];

function generateSort(choose: Choose, world: World, entity: Entity): Sort {
  const may = (attribute: Attribute): boolean => attribute.kind !== 'elements' && !isToMany(attribute);
  return times(between(choose, 1, 3), () => choosePath(choose, world, entity, may))
    .filter((chosen): chosen is ChosenPath => chosen !== undefined && isSortable(chosen))
    .map((chosen) => ({ path: pathOfSort(choose, world, chosen), descending: chance(choose, 50) }));
}

/** The path, or one to a dynamic attribute of the instance that has its attribute. */
function pathOfSort(choose: Choose, { model }: World, { path, owner }: ChosenPath): string {
  if (owner.kind !== 'entity' || chance(choose, 50)) return path;
  const dynamic = dynamicAttributesOf(model, owner).filter(
    ({ collection, target }) => !collection && target === undefined,
  );
  return dynamic.length === 0
    ? path
    : [...path.split('.').slice(0, -1), dynamicMemberOf(pick(choose, dynamic))].join('.');
}

/** Single values, to-one references and keys; other embedded objects have no order. */
const isSortable = ({ owner, leaf }: ChosenPath): boolean => leaf.kind !== 'embedded' || isKey(owner, leaf);

const sortText = (choose: Choose, sort: Sort): string =>
  sort
    // The first sign is the direction: the name of a dynamic attribute has a sign of its own.
    .map(({ path, descending }) => `${descending ? '-' : path.startsWith('+') ? '+' : pick(choose, ['', '+'])}${path}`)
    .join(pick(choose, [',', ', ', ',,']));

/** No plan, a built-in one, or an inline one as object or text. */
function generatePlan(
  choose: Choose,
  world: World,
  entity: Entity,
  negationsFindNull: boolean,
): { readonly sent: unknown; readonly plan: Plan } {
  const { model } = world;
  const form = between(choose, 1, 10);
  if (form <= 2) return { sent: undefined, plan: builtInPlan(model, entity, '_base') };
  if (form <= 4) {
    const name = pick(choose, ['_base', '_local', '_instance_name']);
    return { sent: name, plan: builtInPlan(model, entity, name) };
  }
  const definition = {
    entity: entity.name,
    ...generateDefinition(choose, { world, negationsFindNull, defined: [] }, entity, 0),
  };
  return {
    sent: chance(choose, 50) ? definition : JSON.stringify(definition),
    plan: inlinePlan(model, entity, definition),
  };
}

/** What the items of a plan share. */
interface PlanContext {
  readonly world: World;
  readonly negationsFindNull: boolean;
  /** Names of the plans before this one, with their entity. */
  readonly defined: string[];
}

function generateDefinition(choose: Choose, context: PlanContext, entity: Entity, depth: number): PlanDefinition {
  const attributes = [...entity.attributes.values()];
  const items = some(choose, attributes, depth === 0 ? 40 : 25).flatMap((attribute): PlanItem[] => {
    const item = generateItem(choose, context, attribute, depth);
    return chance(choose, 10) ? [attribute.name, item] : [item];
  });
  const name = chance(choose, 20) ? `named${depth}` : undefined;
  if (name !== undefined) context.defined.push(`${entity.name} ${name}`);
  return { ...(name === undefined ? {} : { name }), properties: items };
}

function generateItem(choose: Choose, context: PlanContext, attribute: Attribute, depth: number): PlanItem {
  const { name } = attribute;
  if (isLocal(attribute) || attribute.kind === 'elements') return pick(choose, [name, { name }]);
  const target = entityOf(context.world.model, attribute.target);
  if (target.kind === 'dto') return pick(choose, [name, { name }]);
  const isSelected = isToMany(attribute) && attribute.persistent && chance(choose, 60);
  const isShort = depth >= 3 || chance(choose, 15);
  if (!isSelected && isShort) return pick(choose, [name, { name }]);
  if (!isSelected && chance(choose, 20)) return `${name}.${pick(choose, [...target.attributes.keys()])}`;
  const fetchPlan = isShort ? undefined : generateNested(choose, context, target, depth);
  const levels = name === 'children' && chance(choose, 60) ? { depth: between(choose, 1, 3) } : {};
  const item = { name, fetchPlan, ...levels };
  return isSelected ? selectedItem(choose, context, item, target) : item;
}

function generateNested(choose: Choose, context: PlanContext, target: Entity, depth: number): PlanDefinition | string {
  const found = context.defined.filter((one) => one.startsWith(`${target.name} `));
  const names = found.map((one) => one.split(' ')[1] ?? '');
  if (names.length > 0 && chance(choose, 40)) return pick(choose, names);
  return generateDefinition(choose, context, target, depth + 1);
}

/** The item with a part of the members of a collection. */
function selectedItem(
  choose: Choose,
  { world, negationsFindNull }: PlanContext,
  item: Exclude<PlanItem, string>,
  target: Entity,
): PlanItem {
  const filter = chance(choose, 50) ? generateFilter(choose, world, target) : undefined;
  const sort = chance(choose, 60) ? generateSort(choose, world, target) : [];
  const limit = chance(choose, 50) ? between(choose, 0, 3) : undefined;
  const offset = chance(choose, 20) ? between(choose, 0, 2) : undefined;
  const count = chance(choose, 30);
  const sent = {
    ...item,
    ...(filter === undefined ? {} : { filter: filter.json }),
    ...(sort.length === 0 ? {} : { sort: sortText(choose, sort) }),
    ...(limit === undefined ? {} : { limit }),
    ...(offset === undefined ? {} : { offset }),
    ...(count ? { count } : {}),
  };
  const meaning = filter !== undefined && negationsFindNull ? orNull(filter.meaning) : filter?.meaning;
  selectionOfItem.set(sent, { filter: meaning, sort, limit, offset, count });
  return sent;
}

const POLICY_OPERATORS = ['=', '<>', 'in', 'notIn'] as const;

/** A caller with hidden attributes, entities and rows; every third one sees everything. */
export function generateCaller(choose: Choose, world: World): Caller {
  const isLimited = chance(choose, 60);
  const limited = <T>(items: readonly T[], percent: number): readonly T[] =>
    isLimited ? some(choose, items, percent) : [];
  const entities = storedEntities(world.model);
  const all = [...world.model.entities.values()].filter(({ kind }) => kind !== 'dto');
  const attributes = all.flatMap((entity) => [...entity.attributes.keys()].map((name) => `${entity.name}.${name}`));
  return {
    unreadable: new Set(
      limited(
        all.map(({ name }) => name),
        3,
      ),
    ),
    hidden: new Set(limited(attributes, 4)),
    policies: new Map(limited(entities, 20).map((entity) => [entity.name, generatePolicy(choose, world, entity, 0)])),
    predicates: new Map(
      limited(entities, 5).flatMap((entity) => {
        const predicate = isOwner(world.model, entity) ? undefined : generatePredicate(choose, entity);
        return predicate === undefined ? [] : [[entity.name, predicate]];
      }),
    ),
    session: { yes: true, number: 1, text: 'a' },
  };
}

/** A row-level query policy: a condition over any path, with `not`, and with parameters the caller may lack. */
function generatePolicy(choose: Choose, world: World, entity: Entity, depth: number): Condition {
  const kind = depth >= 2 ? 'test' : pick(choose, ['and', 'or', 'or', 'not', 'test', 'test', 'test'] as const);
  const inner = (): Condition => generatePolicy(choose, world, entity, depth + 1);
  if (kind === 'and' || kind === 'or') return { kind, conditions: [inner(), inner()] };
  if (kind === 'not') return { kind, condition: inner() };
  const chosen = choosePath(choose, world, entity, (attribute) => attribute.kind !== 'elements');
  if (chosen === undefined || chance(choose, 5)) return { kind: 'constant', value: chance(choose, 70) };
  const { path, owner, leaf } = chosen;
  const branch = chance(choose, 60) ? branchOf(world, chosen) : undefined;
  if (branch !== undefined) return branchPolicy(choose, world, path, branch);
  if (!isLocal(leaf) || chance(choose, 30)) return { kind: 'null', path, negated: chance(choose, 70) };
  const operator = pick(choose, POLICY_OPERATORS);
  const present = presentValues(world, owner, leaf);
  const value = (): Value => policyValue(choose, world, leaf, present);
  return operator === '=' || operator === '<>'
    ? { kind: 'comparison', path, operator, value: value() }
    : { kind: 'in', path, negated: operator === 'notIn', values: times(between(choose, 1, 3), value) };
}

function branchPolicy(choose: Choose, world: World, path: string, { entity }: Branch): Condition {
  const [key = ''] = generateKey(choose, world, entity).value;
  const value: Value = chance(choose, 10)
    ? { kind: 'parameter', name: 'missing' }
    : { kind: 'literal', value: String(key) };
  const depth = chance(choose, 40) ? { depth: between(choose, 0, 3) } : {};
  return { kind: 'tree', path, operator: pick(choose, ['under', 'above'] as const), value, ...depth };
}

function policyValue(
  choose: Choose,
  { model }: World,
  leaf: Attribute,
  present: Parameters<typeof generateOperand>[3],
): Value {
  if (chance(choose, 10)) return { kind: 'parameter', name: 'missing' };
  const type = scalarTypeOf(model, leaf);
  const { value } = generateOperand(choose, model, leaf, present);
  if (type.kind === 'datatype' && type.datatype === 'boolean' && chance(choose, 30))
    return { kind: 'parameter', name: 'yes' };
  return { kind: 'literal', value: typeof value === 'boolean' ? value : String(value) };
}

/** A row-level predicate policy over one local attribute. */
function generatePredicate(choose: Choose, entity: Entity): RowPredicate | undefined {
  const usable = [...entity.attributes.values()].filter(
    (one) =>
      one.persistent &&
      !one.secret &&
      (one.kind === 'enum' || (one.kind === 'datatype' && one.datatype !== 'float' && one.datatype !== 'double')),
  );
  if (usable.length === 0) return undefined;
  const { name } = pick(choose, usable);
  const parity = between(choose, 0, 1);
  return { dependsOn: [name], test: (values) => checksum(String(values[name] ?? null)) % 2 === parity };
}

const checksum = (text: string): number =>
  [...text].reduce((sum, character) => sum + (character.codePointAt(0) ?? 0), 0);
