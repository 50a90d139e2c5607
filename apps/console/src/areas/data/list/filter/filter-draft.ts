import type { AnyCondition, Condition, ConditionGroup } from '@lintel/client';
import { isObject, isToMany, type PathModel, type ResolvedPath, resolvePath, targetOf } from '@lintel/react';
import { isEmpty } from '../../values/is-empty.ts';
import { resolveFilterPath } from './filter-path.ts';
import { isOfJsonType, type JsonType, toJsonType } from './json-value.ts';
import { hasList, hasNoValue, negated, operatorsIn } from './operators.ts';

/** How the members of a group are joined: all, any or none of them match. */
export type Joined = 'AND' | 'OR' | 'NOT';

/** A condition while it is edited. */
export interface DraftCondition {
  readonly key: number;
  readonly path: string;
  readonly operator: string;
  readonly value: unknown;
  /** Of a value inside of JSON, once it is chosen: the value becomes one of this type when it is sent. */
  readonly jsonType?: JsonType;
}

/** The members of a collection that have to match: one, each or none. */
export type Quantifier = 'some' | 'every' | 'none';

export const QUANTIFIERS: readonly Quantifier[] = ['some', 'every', 'none'];

/** A group while it is edited. */
export interface DraftGroup {
  readonly key: number;
  readonly joined: Joined;
  /** The collection whose members have to match the group, each as a whole. */
  readonly of?: { readonly quantifier: Quantifier; readonly path: string };
  readonly members: readonly Draft[];
}

/** A condition that the user can only read and remove. */
export interface DraftKept {
  readonly key: number;
  readonly node: AnyCondition;
}

export type Draft = DraftCondition | DraftGroup | DraftKept;

export const isKept = (draft: Draft): draft is DraftKept => 'node' in draft;

export const isGroup = (draft: Draft): draft is DraftGroup => 'members' in draft;

let lastKey = 0;
/** The key of a further member. */
export const nextKey = (): number => ++lastKey;

/** A condition without an attribute. */
export const emptyCondition = (): DraftCondition => ({ key: nextKey(), path: '', operator: '=', value: undefined });

export const emptyGroup = (joined: Joined): DraftGroup => ({ key: nextKey(), joined, members: [emptyCondition()] });

/** A group about the members of a collection. */
export const emptyMembers = (path: string): DraftGroup => ({ ...emptyGroup('AND'), of: { quantifier: 'some', path } });

/** Adds a group, which replaces a condition without an attribute that is alone. */
export function addGroup(group: DraftGroup, added: DraftGroup): DraftGroup {
  const [only, ...others] = group.members;
  const isUntouched = only !== undefined && others.length === 0 && 'path' in only && only.path === '';
  return { ...group, members: [...(isUntouched ? [] : group.members), added] };
}

/** A filter of the API as a draft; what an address has instead of conditions is left out. */
export function draftOf(filter: ConditionGroup | undefined): DraftGroup {
  const root = groupOf('AND', filter?.conditions ?? []);
  const [only] = root.members;
  if (root.members.length === 1 && only !== undefined && isGroup(only) && only.of === undefined) return only;
  return root.members.length === 0 ? emptyGroup('AND') : root;
}

const groupOf = (joined: Joined, conditions: readonly unknown[]): DraftGroup => ({
  key: nextKey(),
  joined,
  members: conditions.filter((each) => typeof each === 'object' && each !== null).map(memberOf),
});

function memberOf(node: object): Draft {
  if ('group' in node) {
    const { group, conditions } = node as { readonly group: unknown; readonly conditions?: unknown };
    const joined = String(group).toUpperCase();
    return groupOf(
      joined === 'OR' || joined === 'NOT' ? joined : 'AND',
      Array.isArray(conditions) ? (conditions as readonly unknown[]) : [],
    );
  }
  const quantifier = QUANTIFIERS.find((name) => name in node);
  if (quantifier !== undefined) {
    const { [quantifier]: path, conditions } = node as Readonly<Record<string, unknown>>;
    if (Array.isArray(conditions) && conditions.length > 0)
      return { ...groupOf('AND', conditions as readonly unknown[]), of: { quantifier, path: String(path) } };
  }
  const { property, operator, value } = node as Partial<Condition>;
  if (
    quantifier !== undefined ||
    'count' in node ||
    Object.hasOwn(node, 'valueOf') ||
    'depth' in node ||
    isRelative(value)
  )
    return { key: nextKey(), node: node as AnyCondition };
  const given = String(operator ?? '');
  const isNegated = hasNoValue(given) && String(value).toLowerCase() === 'false';
  return { key: nextKey(), path: String(property ?? ''), operator: isNegated ? negated(given) : given, value };
}

/** Whether a value is relative to now (contract/filters.md#relative). */
export const isRelative = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && ('now' in value || 'startOf' in value);

/** The filter of the API; undefined without conditions. */
export function filterOf(draft: DraftGroup): ConditionGroup | undefined {
  const conditions = conditionsOf(draft);
  if (conditions.length === 0) return undefined;
  if (draft.joined === 'AND') return { conditions };
  return { conditions: [{ group: draft.joined, conditions }] };
}

const conditionsOf = ({ members }: DraftGroup): readonly AnyCondition[] =>
  members.flatMap((member): readonly AnyCondition[] => {
    if (isKept(member)) return [member.node];
    if (!isGroup(member)) return [writeCondition(member)];
    const { joined, of } = member;
    const conditions = conditionsOf(member);
    if (conditions.length === 0) return [];
    return [of === undefined ? { group: joined, conditions } : membersOf(of.quantifier, of.path, conditions)];
  });

const membersOf = (quantifier: Quantifier, path: string, conditions: readonly AnyCondition[]) =>
  ({ [quantifier]: path, conditions }) as unknown as AnyCondition;

const writeCondition = ({ path, operator, value, jsonType }: DraftCondition): Condition => ({
  property: path,
  operator,
  ...(!hasNoValue(operator) && { value: jsonType === undefined ? value : toJsonType(value, jsonType) }),
});

/** The condition for another attribute, which has other values, and begins with its usual operator. */
export function withPath(model: PathModel, entityName: string, { key }: DraftCondition, path: string): DraftCondition {
  const found = resolveFilterPath(model, entityName, path);
  const [usual = '='] = found === undefined ? [] : operatorsIn(model, found.attribute);
  return { key, path, operator: usual, value: undefined };
}

/** The condition with another operator: a value becomes a list of it, and a list its first value, where it has to. */
export function withOperator(condition: DraftCondition, operator: string): DraftCondition {
  const { value } = condition;
  if (hasList(operator) === hasList(condition.operator)) return { ...condition, operator };
  if (!hasList(operator)) return { ...condition, operator, value: Array.isArray(value) ? value[0] : value };
  return { ...condition, operator, value: isEmpty(value) ? undefined : [value] };
}

/** The draft with another member in the position of the one with the key; without one, the member is removed. */
export const replaceMember = (draft: DraftGroup, key: number, member: Draft | undefined): DraftGroup => ({
  ...draft,
  members: draft.members.flatMap((each) => {
    if (each.key === key) return member === undefined ? [] : [member];
    return [isGroup(each) ? replaceMember(each, key, member) : each];
  }),
});

/** What is wrong with a condition: the key of a text. */
export type FilterProblem =
  | 'filter.badInside'
  | 'filter.noAttribute'
  | 'filter.noOperator'
  | 'filter.noValue'
  | 'filter.unknownAttribute'
  | 'filter.wrongType';

/** What is wrong with a condition; undefined if it is complete. */
export function problemOf(
  model: PathModel,
  entityName: string,
  { path, operator, value, jsonType }: DraftCondition,
): FilterProblem | undefined {
  if (path === '') return 'filter.noAttribute';
  const found = resolveFilterPath(model, entityName, path);
  if (found?.isStored !== true) return 'filter.unknownAttribute';
  if (found.inside !== undefined && found.inside !== '' && found.inside.split('.').includes(''))
    return 'filter.badInside';
  if (!operatorsIn(model, found.attribute).includes(operator)) return 'filter.noOperator';
  if (hasNoValue(operator)) return undefined;
  const isMissing = hasList(operator) ? !Array.isArray(value) || value.length === 0 : isEmpty(value);
  if (isMissing) return 'filter.noValue';
  return jsonType === undefined || isOfJsonType(toJsonType(value, jsonType), jsonType) ? undefined : 'filter.wrongType';
}

/** Whether every condition of the draft is complete; groups without conditions are left out of a filter. */
export const isComplete = (model: PathModel, entityName: string, draft: DraftGroup): boolean => {
  const of = draft.of === undefined ? entityName : memberEntity(model, entityName, draft.of.path);
  return (
    of !== undefined &&
    draft.members.every((member) => {
      if (isKept(member)) return true;
      return isGroup(member) ? isComplete(model, of, member) : problemOf(model, of, member) === undefined;
    })
  );
};

/** The entity of the members of a collection; undefined if the path leads to none that the user may see. */
export function memberEntity(model: PathModel, entityName: string, path: string): string | undefined {
  const found = resolvePath(model, entityName, path);
  return found !== undefined && isCollection(model, found) ? found.attribute.type : undefined;
}

/** The collections of an entity that have members with conditions of their own. */
export const collectionsOf = (model: PathModel, entityName: string): readonly ResolvedPath[] =>
  (model.entities.get(entityName)?.properties ?? [])
    .map(({ name }) => resolvePath(model, entityName, name))
    .filter((found) => found !== undefined && isCollection(model, found)) as readonly ResolvedPath[];

const isCollection = (model: PathModel, { attribute, isStored }: ResolvedPath): boolean =>
  isStored && isToMany(attribute) && targetOf(model, attribute) !== undefined;
