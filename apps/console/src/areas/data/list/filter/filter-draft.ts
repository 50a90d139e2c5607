import type { Condition, ConditionGroup } from '@lintel/client';
import type { PathModel } from '@lintel/react';
import { isEmpty } from '../../values/is-empty.ts';
import { resolveFilterPath } from './filter-path.ts';
import { isOfJsonType, type JsonType, toJsonType } from './json-value.ts';
import { hasList, hasNoValue, operatorsOf } from './operators.ts';

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

/** A group while it is edited. */
export interface DraftGroup {
  readonly key: number;
  readonly joined: Joined;
  readonly members: readonly Draft[];
}

export type Draft = DraftCondition | DraftGroup;

export const isGroup = (draft: Draft): draft is DraftGroup => 'members' in draft;

let lastKey = 0;
const nextKey = (): number => ++lastKey;

/** A condition without an attribute. */
export const emptyCondition = (): DraftCondition => ({ key: nextKey(), path: '', operator: '=', value: undefined });

export const emptyGroup = (joined: Joined): DraftGroup => ({ key: nextKey(), joined, members: [emptyCondition()] });

/** A filter of the API as a draft; what an address has instead of conditions is left out. */
export function draftOf(filter: ConditionGroup | undefined): DraftGroup {
  const root = groupOf('AND', filter?.conditions ?? []);
  const [only] = root.members;
  if (root.members.length === 1 && only !== undefined && isGroup(only)) return only;
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
  const { property, operator, value } = node as Partial<Condition>;
  return { key: nextKey(), path: String(property ?? ''), operator: String(operator ?? ''), value };
}

/** The filter of the API; undefined without conditions. */
export function filterOf(draft: DraftGroup): ConditionGroup | undefined {
  const conditions = conditionsOf(draft);
  if (conditions.length === 0) return undefined;
  if (draft.joined === 'AND') return { conditions };
  return { conditions: [{ group: draft.joined, conditions }] };
}

const conditionsOf = ({ members }: DraftGroup): readonly (Condition | ConditionGroup)[] =>
  members.flatMap((member): readonly (Condition | ConditionGroup)[] => {
    if (!isGroup(member)) return [writeCondition(member)];
    const conditions = conditionsOf(member);
    return conditions.length === 0 ? [] : [{ group: member.joined, conditions }];
  });

const writeCondition = ({ path, operator, value, jsonType }: DraftCondition): Condition => ({
  property: path,
  operator,
  ...(!hasNoValue(operator) && { value: jsonType === undefined ? value : toJsonType(value, jsonType) }),
});

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
  if (!operatorsOf(found.attribute).includes(operator)) return 'filter.noOperator';
  if (hasNoValue(operator)) return undefined;
  const isMissing = hasList(operator) ? !Array.isArray(value) || value.length === 0 : isEmpty(value);
  if (isMissing) return 'filter.noValue';
  return jsonType === undefined || isOfJsonType(toJsonType(value, jsonType), jsonType) ? undefined : 'filter.wrongType';
}

/** Whether every condition of the draft is complete; groups without conditions are left out of a filter. */
export const isComplete = (model: PathModel, entityName: string, draft: DraftGroup): boolean =>
  draft.members.every((member) =>
    isGroup(member) ? isComplete(model, entityName, member) : problemOf(model, entityName, member) === undefined,
  );
