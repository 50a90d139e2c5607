import { MEMBER_SELECTION } from '@lintel/metadata';
import { type ExactJson, type ExactObject, isExactObject } from '../json/exact-json.ts';
import { QUANTIFIERS, TREES } from './parse-filter.ts';
import type { ParsedFetchPlan, UnknownMember } from './parsed-query.ts';

/** More are not reported to a client. */
const MAX_FOUND = 100;

const FILTER = ['conditions'];
const GROUP = ['group', 'conditions'];
const CONDITION = ['property', 'operator', 'value', 'valueOf'];
const PLAN = ['name', 'entity', 'extends', 'properties'];
const BRANCH = ['property', 'operator', 'value', 'depth'];
const PROPERTY = ['name', 'fetchPlan', 'fetch', 'depth', 'q', ...MEMBER_SELECTION];

const NONE: readonly UnknownMember[] = Object.freeze([]);

/**
 * Members without a meaning, the first 100 of them.
 *
 * @param filter one that `parseFilter` accepts
 * @param name of the parameter with the filter
 */
export function unknownMembers(
  filter: ExactJson | undefined,
  plan: ParsedFetchPlan,
  name = 'filter',
): readonly UnknownMember[] {
  if (filter === undefined && plan.kind !== 'inline') return NONE;
  const found: UnknownMember[] = [];
  findInFilter(found, filter, () => name);
  if (plan.kind === 'inline') findInPlan(found, plan.definition, () => 'fetchPlan');
  return found.length === 0 ? NONE : found;
}

/** Paths are made for what is reported only. */
type PathOf = () => string;

function findIn(found: UnknownMember[], json: ExactObject, known: readonly string[], pathOf: PathOf): void {
  for (const name in json) {
    if (known.includes(name)) continue;
    if (found.length === MAX_FOUND) return;
    found.push({ inside: pathOf(), name, known });
  }
}

function findInFilter(found: UnknownMember[], filter: ExactJson | undefined, pathOf: PathOf): void {
  if (!isExactObject(filter)) return;
  findIn(found, filter, FILTER, pathOf);
  findInConditions(found, filter, pathOf);
}

function findInConditions(found: UnknownMember[], { conditions }: ExactObject, pathOf: PathOf): void {
  for (const [node, at] of objectsIn(conditions)) {
    const pathOfNode: PathOf = () => `${pathOf()}.conditions[${at}]`;
    const known = knownIn(node);
    findIn(found, node, known, pathOfNode);
    if (known !== CONDITION && known !== BRANCH) findInConditions(found, node, pathOfNode);
  }
}

function knownIn(node: ExactObject): readonly string[] {
  if (Object.hasOwn(node, 'group')) return GROUP;
  const quantifier = QUANTIFIERS.find((name) => Object.hasOwn(node, name));
  if (quantifier === undefined) return TREES.has(node['operator'] as string) ? BRANCH : CONDITION;
  return [quantifier, 'conditions', ...(quantifier === 'count' ? ['operator', 'value'] : [])];
}

function findInPlan(found: UnknownMember[], plan: ExactObject, pathOf: PathOf): void {
  findIn(found, plan, PLAN, pathOf);
  for (const [property, at] of objectsIn(plan['properties'])) {
    const pathOfProperty: PathOf = () => `${pathOf()}.properties[${at}]`;
    findIn(found, property, PROPERTY, pathOfProperty);
    const { fetchPlan: nested, filter } = property;
    findInFilter(found, filter, () => `${pathOfProperty()}.filter`);
    if (isExactObject(nested)) findInPlan(found, nested, () => `${pathOfProperty()}.fetchPlan`);
  }
}

function* objectsIn(list: ExactJson | undefined): Generator<readonly [ExactObject, number]> {
  if (!Array.isArray(list)) return;
  for (const [at, item] of (list as readonly ExactJson[]).entries()) if (isExactObject(item)) yield [item, at];
}
