import {
  type Attribute,
  type EmbeddedAttribute,
  type Entity,
  entityOf,
  isToOne,
  type ReferenceAttribute,
  treeParentOf,
} from '@lintel/metadata';
import type { Condition, Value } from '@lintel/query';
import { type Caller, isKey, isLimited, limitingOwners, mayView, TRUSTED } from './caller.ts';
import { keyAttributesOf, scalarTypeOf } from './generate-world.ts';
import { compareScalars, matchesText, type Scalar, type ScalarType } from './scalars.ts';
import { and, compareTo, not, or, type Truth } from './truth.ts';
import {
  type Embedded,
  type Instance,
  isInstance,
  isOf,
  keyText,
  rowsOf,
  targetsOf,
  type World,
  type WorldValue,
} from './world.ts';

/** A test of one path, with its values as the world has them: contract/filters.md#operators. */
export type Test =
  | { readonly kind: 'null'; readonly negated: boolean }
  /** A null among the operands is a parameter that the caller does not have. */
  | { readonly kind: 'scalars'; readonly operator: string; readonly operands: readonly (Scalar | null)[] }
  | { readonly kind: 'keys'; readonly operator: string; readonly operands: readonly (readonly Scalar[] | null)[] }
  /** The key is one of the instance's branch of a tree, so many levels away at most: contract/filters.md#trees. */
  | {
      readonly kind: 'tree';
      readonly operator: 'under' | 'above';
      readonly key: readonly Scalar[] | null;
      readonly depth: number | undefined;
      /** The path of the parent, which must be visible, too, also where the tree declares it. */
      readonly parent: string;
      readonly tree: Entity;
    };

/** A condition of a filter, with what it means. */
export type Meaning =
  | { readonly kind: 'and' | 'or'; readonly members: readonly Meaning[] }
  | { readonly kind: 'not'; readonly member: Meaning }
  | { readonly kind: 'constant'; readonly value: boolean }
  /** Number of the members of a collection that satisfy the meaning. */
  | {
      readonly kind: 'members';
      readonly path: string;
      readonly quantifier: 'some' | 'every' | 'none' | ((count: number) => boolean);
      readonly member: Meaning;
    }
  /** A comparison of two attributes. */
  | { readonly kind: 'attributes'; readonly path: string; readonly operator: string; readonly other: string }
  | { readonly kind: 'test'; readonly path: string; readonly test: Test };

/** Whether the instance, seen as `entity`, keeps the condition, for what the caller sees. */
export function holds(world: World, caller: Caller, entity: Entity, instance: Instance, meaning: Meaning): Truth {
  switch (meaning.kind) {
    case 'constant':
      return meaning.value;
    case 'and':
      return and(meaning.members.map((member) => holds(world, caller, entity, instance, member)));
    case 'or':
      return or(meaning.members.map((member) => holds(world, caller, entity, instance, member)));
    case 'not':
      return not(holds(world, caller, entity, instance, meaning.member));
    case 'attributes': {
      const { path, operator, other } = meaning;
      const [value, operand] = [path, other].map((one) => valueAt(world, caller, entity, instance, one.split('.')));
      if (value === null || operand === null || value === undefined || operand === undefined) return null;
      return compareWith(scalarTypeOf(world.model, leafOf(world, entity, path)), operator, value, operand);
    }
    case 'members': {
      const { path, quantifier, member } = meaning;
      const attribute = leafOf(world, entity, path);
      const members = membersAt(world, caller, entity, instance, path.split('.'));
      const satisfying = members.filter(
        (one) =>
          attribute.kind !== 'reference' ||
          holds(world, caller, entityOf(world.model, attribute.target), one as Instance, member) === true,
      ).length;
      if (quantifier === 'some') return satisfying > 0;
      if (quantifier === 'none') return satisfying === 0;
      return quantifier === 'every' ? satisfying === members.length : quantifier(satisfying);
    }
    case 'test':
      return new PathTest(world, caller, meaning.test).at(entity, instance, meaning.path.split('.'));
    default:
      return meaning satisfies never;
  }
}

/** Whether all row-level policies let the caller see the instance. */
export function isVisible(world: World, caller: Caller, instance: Instance): boolean {
  const { model } = world;
  for (const [name, condition] of caller.policies) {
    const entity = entityOf(model, name);
    if (!isOf(model, instance, entity)) continue;
    const meaning = meaningOf(world, entity, condition, caller.session);
    if (holds(world, TRUSTED, entity, instance, meaning) !== true) return false;
  }
  for (const [name, predicate] of caller.predicates) {
    if (!isOf(model, instance, entityOf(model, name))) continue;
    const read = Object.fromEntries(predicate.dependsOn.map((one) => [one, plain(instance.values[one] ?? null)]));
    if (!predicate.test(read, () => undefined)) return false;
  }
  return limitingOwners(model, caller, instance.entity).every((owners) =>
    owners.some(({ owner, attribute }) =>
      rowsOf(world, owner).some(
        (row) => targetsOf(world, row, attribute).includes(instance) && isVisible(world, caller, row),
      ),
    ),
  );
}

/** A single value as application code sees it: numbers beyond binary ones are texts. */
export const plain = (value: WorldValue): unknown => (typeof value === 'bigint' ? String(value) : value);

/** What the caller sees of a reference: deleted targets only at the owning end of a to-one reference. */
export const seenTargets = (
  world: World,
  caller: Caller,
  holder: Instance | Embedded,
  attribute: ReferenceAttribute,
): readonly Instance[] =>
  targetsOf(world, holder, attribute).filter(
    (target) => (!target.isDeleted || (attribute.owning && isToOne(attribute))) && isVisible(world, caller, target),
  );

/** A policy's condition with its values as the world has them. */
function meaningOf(
  world: World,
  entity: Entity,
  condition: Condition,
  session: Readonly<Record<string, unknown>>,
): Meaning {
  const scalarOf = (value: Value, type: ScalarType): Scalar | null => {
    const sent = value.kind === 'literal' ? value.value : value.kind === 'parameter' ? session[value.name] : undefined;
    if (sent === undefined || sent === null) return null;
    return type.kind === 'datatype' && type.datatype === 'boolean' ? sent === true : String(sent);
  };
  const scalars = (path: string, operator: string, values: readonly Value[]): Meaning => {
    const type = scalarTypeOf(world.model, leafOf(world, entity, path));
    return {
      kind: 'test',
      path,
      test: { kind: 'scalars', operator, operands: values.map((one) => scalarOf(one, type)) },
    };
  };
  switch (condition.kind) {
    case 'constant':
      return condition;
    case 'and':
    case 'or':
      return {
        kind: condition.kind,
        members: condition.conditions.map((one) => meaningOf(world, entity, one, session)),
      };
    case 'not':
      return { kind: 'not', member: meaningOf(world, entity, condition.condition, session) };
    case 'null':
      return { kind: 'test', path: condition.path, test: { kind: 'null', negated: condition.negated } };
    case 'comparison':
    case 'text':
      return scalars(condition.path, condition.operator, [condition.value]);
    case 'tree': {
      const { path, operator, value, depth } = condition;
      const key = scalarOf(value, { kind: 'datatype', datatype: 'string' });
      const test = {
        kind: 'tree',
        operator,
        key: key === null ? null : [key],
        depth,
        parent: '',
        tree: entity,
      } as const;
      return { kind: 'test', path, test };
    }
    case 'in':
      return scalars(condition.path, condition.negated ? 'notIn' : 'in', condition.values as readonly Value[]);
    default:
      throw new Error(`The oracle knows no ${condition.kind}`);
  }
}

/** The attribute at the end of a path. */
export function leafOf({ model }: World, entity: Entity, path: string): Attribute {
  let owner = entity;
  let found: Attribute | undefined;
  for (const name of path.split('.')) {
    found = owner.attributes.get(name);
    if (found?.kind === 'reference' || found?.kind === 'embedded') owner = entityOf(model, found.target);
  }
  if (found === undefined) throw new Error(`${entity.name} has no ${path}`);
  return found;
}

/** The value at the end of a path without collections. */
export function valueAt(
  world: World,
  caller: Caller,
  entity: Entity,
  holder: Instance | Embedded | null,
  [name = '', ...rest]: readonly string[],
): Scalar | null {
  if (holder === null) return null;
  const attribute = entity.attributes.get(name);
  const value = (isInstance(holder) ? holder.values : holder)[name] ?? null;
  if (rest.length === 0) return value as Scalar | null;
  if (attribute?.kind !== 'embedded' && attribute?.kind !== 'reference') throw new Error(`${name} leads nowhere`);
  const next =
    attribute.kind === 'embedded'
      ? (value as Embedded | null)
      : (seenTargets(world, caller, holder, attribute)[0] ?? null);
  return valueAt(world, caller, entityOf(world.model, attribute.target), next, rest);
}

/** Members that the caller sees of the collection at the end of a path. */
export function membersAt(
  world: World,
  caller: Caller,
  entity: Entity,
  holder: Instance | Embedded | null,
  [name = '', ...rest]: readonly string[],
): readonly unknown[] {
  if (holder === null) return [];
  const attribute = entity.attributes.get(name);
  const value = (isInstance(holder) ? holder.values : holder)[name] ?? null;
  if (attribute?.kind === 'elements') return (value ?? []) as readonly Scalar[];
  if (attribute?.kind === 'embedded')
    return membersAt(world, caller, entityOf(world.model, attribute.target), value as Embedded | null, rest);
  if (attribute?.kind !== 'reference') throw new Error(`${entity.name}.${name} leads to no members`);
  const targets = seenTargets(world, caller, holder, attribute);
  if (rest.length === 0) return targets;
  return membersAt(world, caller, entityOf(world.model, attribute.target), targets[0] ?? null, rest);
}

/** Follows a path from one row and tests what it ends at: contract/filters.md#paths. */
class PathTest {
  readonly #world: World;
  readonly #caller: Caller;
  readonly #test: Test;

  constructor(world: World, caller: Caller, test: Test) {
    this.#world = world;
    this.#caller = caller;
    this.#test = test;
  }

  /** @param holder null if a reference on the way is empty: all that follows is empty, too */
  at(entity: Entity, holder: Instance | Embedded | null, [name = '', ...rest]: readonly string[]): Truth {
    const attribute = entity.attributes.get(name);
    if (attribute === undefined) throw new Error(`${entity.name} has no ${name}`);
    if (rest.length === 0) return this.#leaf(entity, attribute, holder);
    if (attribute.kind === 'embedded')
      return this.at(entityOf(this.#world.model, attribute.target), this.#value(holder, name) as Embedded | null, rest);
    if (attribute.kind !== 'reference') throw new Error(`${name} leads nowhere`);
    const target = entityOf(this.#world.model, attribute.target);
    const targets = this.#targets(holder, attribute);
    if (isToOne(attribute)) return this.at(target, targets[0] ?? null, rest);
    if (this.#asksForNull() && targets.length === 0) return true;
    return targets.some((member) => this.at(target, member, rest) === true);
  }

  #asksForNull(): boolean {
    return this.#test.kind === 'null' && !this.#test.negated;
  }

  #value(holder: Instance | Embedded | null, name: string): WorldValue {
    if (holder === null) return null;
    return (isInstance(holder) ? holder.values : holder)[name] ?? null;
  }

  #targets(holder: Instance | Embedded | null, attribute: ReferenceAttribute): readonly Instance[] {
    return holder === null ? [] : seenTargets(this.#world, this.#caller, holder, attribute);
  }

  #leaf(entity: Entity, attribute: Attribute, holder: Instance | Embedded | null): Truth {
    const { model } = this.#world;
    switch (attribute.kind) {
      case 'datatype':
      case 'enum':
        if (this.#test.kind === 'tree') return this.#tree(entity, holder as Instance | null);
        return this.#scalar(scalarTypeOf(model, attribute), this.#value(holder, attribute.name) as Scalar | null);
      case 'elements': {
        const elements = (this.#value(holder, attribute.name) ?? []) as readonly Scalar[];
        if (this.#test.kind === 'null') return this.#test.negated === elements.length > 0;
        return elements.some((element) => this.#scalar(scalarTypeOf(model, attribute), element) === true);
      }
      case 'embedded':
        if (isKey(entity, attribute))
          return this.#key(entity, holder !== null && isInstance(holder) ? holder.key : null);
        return this.#null(
          isEmpty(this.#world, this.#caller, attribute, this.#value(holder, attribute.name) as Embedded | null),
        );
      case 'reference': {
        const target = entityOf(model, attribute.target);
        const targets = this.#targets(holder, attribute);
        if (this.#test.kind === 'tree')
          return isToOne(attribute)
            ? this.#tree(target, targets[0] ?? null)
            : targets.some((member) => this.#tree(target, member) === true);
        if (isToOne(attribute)) return this.#key(target, targets[0]?.key ?? null);
        if (this.#test.kind === 'null') return this.#test.negated === targets.length > 0;
        return targets.some((member) => this.#key(target, member.key) === true);
      }
      default:
        return attribute satisfies never;
    }
  }

  /** From the lower one of both upwards: deleted parents are followed, hidden ones are not. */
  #tree(entity: Entity, instance: Instance | null): Truth {
    const { operator, key, depth = Number.POSITIVE_INFINITY } = this.#test as Extract<Test, { kind: 'tree' }>;
    const parent = treeParentOf(entity);
    if (parent === undefined) throw new Error(`${entity.name} is no tree`);
    if (instance === null || key === null) return null;
    const isNamed = (one: Instance): boolean => keyText(one.key) === keyText(key);
    const other = rowsOf(this.#world, entityOf(this.#world.model, parent.target)).find(isNamed);
    if (other === undefined || !isVisible(this.#world, this.#caller, other)) return false;
    const [upper, lower] = operator === 'under' ? [other, instance] : [instance, other];
    let at: Instance | undefined = lower;
    for (let level = 0; at !== undefined && level <= depth; level += 1) {
      if (at === upper) return true;
      at = seenTargets(this.#world, this.#caller, at, parent)[0];
    }
    return false;
  }

  #null(isNull: boolean): Truth {
    if (this.#test.kind !== 'null') throw new Error('Only a test for null');
    return this.#test.negated ? !isNull : isNull;
  }

  #scalar(type: ScalarType, value: Scalar | null): Truth {
    const test = this.#test;
    if (test.kind === 'null') return this.#null(value === null);
    if (test.kind !== 'scalars') throw new Error('No test of a single value');
    return compareTo(test.operator, test.operands, (operand, operator) =>
      value === null || operand === null ? null : compareWith(type, operator, value, operand),
    );
  }

  #key(entity: Entity, key: readonly Scalar[] | null): Truth {
    const test = this.#test;
    if (test.kind === 'null') return this.#null(key === null);
    if (test.kind !== 'keys') throw new Error('No test of a key');
    const parts = keyAttributesOf(this.#world.model, entity).map((part) => scalarTypeOf(this.#world.model, part));
    return compareTo(test.operator, test.operands, (operand, operator) => {
      if (key === null || operand === null) return null;
      const equal = parts.every((type, at) => compareWith(type, '=', key[at] ?? '', operand[at] ?? ''));
      return equal === (operator === '=');
    });
  }
}

export function compareWith(type: ScalarType, operator: string, value: Scalar, operand: Scalar): boolean {
  const order = /^[=<>]/.test(operator) ? compareScalars(type, value, operand) : 0;
  switch (operator) {
    case '=':
      return order === 0;
    case '<>':
      return order !== 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    default:
      return matchesText(operator, value, String(operand));
  }
}

/**
 * Whether an embedded object is absent: every value in it that the caller may view is null
 * (contract/instances.md#values, contract/decisions.md#13, #53).
 */
export function isEmpty(world: World, caller: Caller, { target }: EmbeddedAttribute, value: Embedded | null): boolean {
  if (value === null) return true;
  const entity = entityOf(world.model, target);
  return [...entity.attributes.values()]
    .filter((inner) => !inner.secret && inner.persistent && mayView(world.model, caller, entity, inner))
    .every((inner) => {
      const held = value[inner.name] ?? null;
      if (inner.kind === 'embedded') return isEmpty(world, caller, inner, held as Embedded | null);
      // Where rows are hidden, a reference cannot be compared: the result would reveal whether it is set.
      if (inner.kind === 'reference')
        return isLimited(world.model, caller, entityOf(world.model, inner.target)) || held === null;
      return held === null;
    });
}
