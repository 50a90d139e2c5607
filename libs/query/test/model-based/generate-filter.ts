import { type Attribute, type Entity, entityOf, isLocal, isToMany, treeParentOf } from '@lintel/metadata';
import { isKey } from './caller.ts';
import { between, type Choose, chance, pick, times } from './choose.ts';
import { compareWith, type Meaning, type Test } from './conditions.ts';
import { keyAttributesOf } from './generate-world.ts';
import type { Scalar, ScalarType } from './scalars.ts';
import { generateOperand, type Sent, sentKey } from './sent-values.ts';
import { generateRelative, isDate, isMoment } from './times.ts';
import { type Embedded, rowsOf, type World, type WorldValue } from './world.ts';

const COMPARISONS = ['=', '<>'];
const ORDERINGS = ['>', '>=', '<', '<='];
const TEXTS = ['contains', 'doesNotContain', 'startsWith', 'endsWith'];
const LISTS = ['in', 'notIn'];
const COUNT: ScalarType = { kind: 'datatype', datatype: 'long' };
const ORDERED = new Set([
  ...['short', 'int', 'long', 'bigInteger', 'decimal', 'float', 'double'],
  ...['date', 'localDate', 'dateTime', 'localDateTime', 'offsetDateTime', 'time', 'localTime', 'offsetTime'],
]);
const TEXTUAL = new Set(['string', 'uuid']);

/** The operators that compare the attribute with values: contract/filters.md#filters, contract/decisions.md#2, #48. */
export function operatorsOf(entity: Entity, attribute: Attribute): readonly string[] {
  if (attribute.kind === 'embedded') return isKey(entity, attribute) ? [...COMPARISONS, ...LISTS] : [];
  if (attribute.kind === 'reference' || attribute.kind === 'enum') return [...COMPARISONS, ...LISTS];
  const isOrdered = ORDERED.has(attribute.datatype);
  const isTextual = TEXTUAL.has(attribute.datatype);
  return [...COMPARISONS, ...LISTS, ...(isOrdered ? ORDERINGS : []), ...(isTextual ? TEXTS : [])];
}

/** A path through the model to a stored attribute that a filter may name. */
export interface ChosenPath {
  readonly path: string;
  /** The entity or embeddable that has the last attribute. */
  readonly owner: Entity;
  readonly leaf: Attribute;
}

/** A path of up to three steps; `may` says which attributes are allowed on it. */
export function choosePath(
  choose: Choose,
  world: World,
  root: Entity,
  may: (attribute: Attribute, owner: Entity) => boolean,
): ChosenPath | undefined {
  let owner = root;
  const names: string[] = [];
  for (;;) {
    const usable = [...owner.attributes.values()].filter((one) => one.persistent && !one.secret && may(one, owner));
    if (usable.length === 0) return undefined;
    const further = usable.filter((one) => !isLocal(one) && one.kind !== 'elements');
    const attribute =
      further.length > 0 && names.length < 3 && chance(choose, 50) ? pick(choose, further) : pick(choose, usable);
    names.push(attribute.name);
    const leadsOn = attribute.kind === 'reference' || attribute.kind === 'embedded';
    if (!leadsOn || names.length > 3 || chance(choose, 30)) return { path: names.join('.'), owner, leaf: attribute };
    owner = entityOf(world.model, attribute.target);
  }
}

/** Values that some row has for the attribute. */
export function presentValues(world: World, owner: Entity, attribute: Attribute): readonly Scalar[] {
  const holders =
    owner.kind === 'embeddable' ? embeddedOf(world, owner) : rowsOf(world, owner).map((row) => row.values);
  return holders.flatMap((values) => {
    const value = values[attribute.name] ?? null;
    return value === null ? [] : ((Array.isArray(value) ? value : [value]) as Scalar[]);
  });
}

function embeddedOf({ model, instances }: World, embeddable: Entity): readonly Embedded[] {
  const inside = (entity: Entity, values: Readonly<Record<string, WorldValue>>): readonly Embedded[] =>
    [...entity.attributes.values()].flatMap((attribute) => {
      const held = values[attribute.name] ?? null;
      if (attribute.kind !== 'embedded' || held === null) return [];
      const target = entityOf(model, attribute.target);
      const own = held as Embedded;
      return [...(target === embeddable ? [own] : []), ...inside(target, own)];
    });
  return instances.flatMap((instance) => inside(instance.entity, instance.values));
}

/** A filter as a client sends it, and what it means. */
export interface SentFilter {
  readonly json: unknown;
  readonly meaning: Meaning;
}

/** A filter with groups, over any paths. */
export function generateFilter(choose: Choose, world: World, entity: Entity): SentFilter {
  const members = generateMembers(choose, world, entity, 0);
  const unknown = chance(choose, 10) ? { comment: 'ignored' } : {};
  return {
    json: { conditions: members.map(({ json }) => json), ...unknown },
    meaning: { kind: 'and', members: members.flatMap(({ meaning }) => meaning ?? []) },
  };
}

interface Node {
  readonly json: unknown;
  /** None for an empty group: it is dropped. */
  readonly meaning: Meaning | undefined;
}

function generateMembers(choose: Choose, world: World, entity: Entity, depth: number): readonly Node[] {
  const count = depth === 0 ? pick(choose, [0, 1, 1, 1, 2, 3]) : between(choose, 0, 3 - depth);
  return times(count, () => {
    if (depth < 3 && chance(choose, 30)) return generateGroup(choose, world, entity, depth + 1);
    const collections = depth < 3 && chance(choose, 30) ? collectionsOf(world, entity) : [];
    return collections.length === 0
      ? generateCondition(choose, world, entity)
      : generateQuantifier(choose, world, pick(choose, collections), depth + 1);
  });
}

/** A collection at the end of a path through at most one reference or embedded object. */
export function collectionsOf(world: World, entity: Entity, above: readonly string[] = []): readonly ChosenPath[] {
  return [...entity.attributes.values()].flatMap((attribute): readonly ChosenPath[] => {
    if (!attribute.persistent || attribute.secret || isKey(entity, attribute)) return [];
    const names = [...above, attribute.name];
    const collection: boolean = isToMany(attribute) || attribute.kind === 'elements';
    if (collection) return [{ path: names.join('.'), owner: entity, leaf: attribute }];
    const target = 'target' in attribute ? attribute.target : undefined;
    return target === undefined || above.length > 0 ? [] : collectionsOf(world, entityOf(world.model, target), names);
  });
}

function generateQuantifier(choose: Choose, world: World, { path, leaf }: ChosenPath, depth: number): Node {
  const members =
    leaf.kind === 'reference' ? generateMembers(choose, world, entityOf(world.model, leaf.target), depth) : [];
  const meanings = members.flatMap(({ meaning }) => meaning ?? []);
  const name = pick(choose, ['some', 'every', 'none', 'count'] as const);
  const isDropped = meanings.length === 0 && (members.length > 0 || name === 'every');
  const operator = pick(choose, [...COMPARISONS, ...ORDERINGS]);
  const value = between(choose, 0, 3);
  const isMet = (count: number): boolean => compareWith(COUNT, operator, String(count), String(value));
  return {
    json: {
      [name]: path,
      ...(members.length > 0 || chance(choose, 50) ? { conditions: members.map(({ json }) => json) } : {}),
      ...(name === 'count' ? { operator, value } : {}),
    },
    meaning: isDropped
      ? undefined
      : {
          kind: 'members',
          path,
          quantifier: name === 'count' ? isMet : name,
          member: { kind: 'and', members: meanings },
        },
  };
}

function generateGroup(choose: Choose, world: World, entity: Entity, depth: number): Node {
  const members = generateMembers(choose, world, entity, depth);
  const group = pick(choose, ['and', 'or', 'not'] as const);
  const meanings = members.flatMap(({ meaning }) => meaning ?? []);
  const meaning: Meaning = { kind: group === 'and' ? 'and' : 'or', members: meanings };
  return {
    json: { group: pick(choose, [group.toUpperCase(), group]), conditions: members.map(({ json }) => json) },
    meaning: meanings.length === 0 ? undefined : group === 'not' ? { kind: 'not', member: meaning } : meaning,
  };
}

/** A comparison of two attributes of the same type. */
function compareAttributes(choose: Choose, world: World, entity: Entity): Node | undefined {
  const may = (attribute: Attribute): boolean => attribute.kind !== 'elements' && !isToMany(attribute);
  const chosen = times(8, () => choosePath(choose, world, entity, may)).filter(
    (each): each is ChosenPath => each?.leaf.kind === 'datatype' || each?.leaf.kind === 'enum',
  );
  for (const { path, owner, leaf } of chosen) {
    const other = chosen.find((each) => each.path !== path && typeOf(each.leaf) === typeOf(leaf));
    if (other === undefined) continue;
    const operator = pick(
      choose,
      operatorsOf(owner, leaf).filter((one) => /^[=<>]/.test(one)),
    );
    return {
      json: { property: path, operator, valueOf: other.path },
      meaning: { kind: 'attributes', path, operator, other: other.path },
    };
  }
  return undefined;
}

const typeOf = (attribute: Attribute): string =>
  attribute.kind === 'datatype' ? attribute.datatype : attribute.kind === 'enum' ? attribute.enumName : attribute.kind;

function generateCondition(choose: Choose, world: World, entity: Entity): Node {
  const chosen = choosePath(choose, world, entity, () => true);
  if (chosen === undefined) throw new Error(`${entity.name} has no attributes`);
  const { path, owner, leaf } = chosen;
  const operators = operatorsOf(owner, leaf);
  const branch = chance(choose, 60) ? branchOf(world, chosen) : undefined;
  if (branch !== undefined) return generateBranch(choose, world, path, branch);
  if (chance(choose, 10)) {
    const compared = compareAttributes(choose, world, entity);
    if (compared !== undefined) return compared;
  }
  if (operators.length === 0 || chance(choose, 15)) return nullTest(choose, path);
  const operator = pick(choose, operators);
  const isList = LISTS.includes(operator);
  const count = isList ? between(choose, 0, 3) : 1;
  const isRelative = /^[=<>]/.test(operator) && leaf.kind === 'datatype' && chance(choose, 60);
  if (isRelative && (isDate(leaf.datatype) || isMoment(leaf.datatype))) {
    const { json, value } = generateRelative(choose, leaf.datatype);
    const test = { kind: 'scalars', operator, operands: [value] } as const;
    return { json: { property: path, operator, value: json }, meaning: { kind: 'test', path, test } };
  }
  const { sent, test } = operands(choose, world, owner, leaf, operator, count);
  const single = chance(choose, 5) ? sent : sent[0];
  return {
    json: { property: path, operator, value: isList ? sent : single },
    meaning: { kind: 'test', path, test },
  };
}

/** The tree whose instances the path names, and the path of their parent. */
export interface Branch {
  readonly entity: Entity;
  readonly parent: string;
}

/** None if the path does not end at an instance of a tree, or its key. */
export function branchOf({ model }: World, { path, owner, leaf }: ChosenPath): Branch | undefined {
  if (leaf.kind !== 'reference' && !isKey(owner, leaf)) return undefined;
  const entity = leaf.kind === 'reference' ? entityOf(model, leaf.target) : owner;
  const parent = treeParentOf(entity);
  if (parent === undefined) return undefined;
  const names = leaf.kind === 'reference' ? path.split('.') : path.split('.').slice(0, -1);
  return { entity: entityOf(model, parent.target), parent: [...names, parent.name].join('.') };
}

function generateBranch(choose: Choose, world: World, path: string, { entity, parent }: Branch): Node {
  const operator = pick(choose, ['under', 'above'] as const);
  const { json, value: key } = generateKey(choose, world, entity);
  const depth = chance(choose, 40) ? between(choose, 0, 3) : undefined;
  return {
    json: { property: path, operator, value: json, ...(depth === undefined ? {} : { depth }) },
    meaning: { kind: 'test', path, test: { kind: 'tree', operator, key, depth, parent, tree: entity } },
  };
}

function operands(
  choose: Choose,
  world: World,
  owner: Entity,
  leaf: Attribute,
  operator: string,
  count: number,
): { readonly sent: readonly unknown[]; readonly test: Test } {
  const { model } = world;
  if (leaf.kind === 'reference' || leaf.kind === 'embedded') {
    const target = leaf.kind === 'reference' ? entityOf(model, leaf.target) : owner;
    const keys = times(count, () => generateKey(choose, world, target));
    return {
      sent: keys.map(({ json }) => json),
      test: { kind: 'keys', operator, operands: keys.map(({ value }) => value) },
    };
  }
  const present = presentValues(world, owner, leaf);
  const isText = TEXTS.includes(operator);
  const values = times(count, () =>
    isText ? generateNeedle(choose, present) : generateOperand(choose, model, leaf, present),
  );
  return {
    sent: values.map(({ json }) => json),
    test: { kind: 'scalars', operator, operands: values.map(({ value }) => value) },
  };
}

/** A part of a text that there is, in any case; or characters that have a meaning in patterns. */
function generateNeedle(choose: Choose, present: readonly Scalar[]): Sent<Scalar> {
  const whole =
    present.length > 0 && chance(choose, 75)
      ? String(pick(choose, present))
      : pick(choose, ['', '%', '_', '\\', 'a', 'ä']);
  const characters = Array.from(whole);
  const start = between(choose, 0, characters.length);
  const part = characters.slice(start, start + between(choose, 0, 3)).join('');
  const text = pick(choose, [part, whole, part.toUpperCase(), whole.toLowerCase()]);
  return { json: text, value: text };
}

/** The key of a row that there is, or of none. */
export function generateKey(choose: Choose, world: World, entity: Entity): Sent<readonly Scalar[]> {
  const rows = rowsOf(world, entity);
  const key = rows.length > 0 && chance(choose, 85) ? pick(choose, rows).key : otherKey(choose, world, entity);
  return sentKey(choose, world.model, entity, key);
}

const otherKey = (choose: Choose, world: World, entity: Entity): readonly Scalar[] =>
  keyAttributesOf(world.model, entity).map((part) => generateOperand(choose, world.model, part, []).value);

function nullTest(choose: Choose, path: string): Node {
  const operator = pick(choose, ['isNull', 'notEmpty']);
  const [value, wanted] = pick(choose, [
    [undefined, true],
    [true, true],
    [false, false],
    ['true', true],
    ['TRUE', true],
    ['false', false],
    ['other', false],
  ] as const);
  return {
    json: { property: path, operator, ...(value === undefined ? {} : { value }) },
    meaning: { kind: 'test', path, test: { kind: 'null', negated: (operator === 'notEmpty') === wanted } },
  };
}
