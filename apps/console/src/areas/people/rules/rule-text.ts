import { isToMany, type PathModel } from '@lintel/react';
import {
  type Draft,
  type DraftCondition,
  type DraftGroup,
  isGroup,
  isKept,
  memberEntity,
  problemOf,
} from '../../data/list/filter/filter-draft.ts';
import { resolveFilterPath } from '../../data/list/filter/filter-path.ts';
import { parameterOf } from '../../data/list/filter/user-values.ts';
import { valueKindOf } from '../../data/values/value-kind.ts';

/** The tests of texts: what is before and after the words, and whether it is negated. */
export const LIKE = {
  contains: ['%', '%', ''],
  doesNotContain: ['%', '%', 'not '],
  startsWith: ['', '%', ''],
  endsWith: ['%', '', ''],
} as const;

const COMPARISONS = new Set(['=', '<>', '>', '>=', '<', '<=']);

/**
 * The condition of a row rule in the query language (docs/guide/queries.md) for a draft of the filter builder; undefined
 * if the draft is not complete, or has a condition that the language has no short form for.
 */
export function textOfRule(model: PathModel, entityName: string, draft: DraftGroup): string | undefined {
  return textOfMembers({ model, entityName, variable: '{E}', depth: 1 }, draft);
}

interface Scope {
  readonly model: PathModel;
  readonly entityName: string;
  /** The variable of the instance that the conditions are about. */
  readonly variable: string;
  readonly depth: number;
}

function textOfMembers(scope: Scope, { joined, members }: DraftGroup): string | undefined {
  const texts = members.map((member) => textOfMember(scope, member));
  if (texts.length === 0 || texts.some((text) => text === undefined)) return undefined;
  const text = texts.join(joined === 'AND' ? ' and ' : ' or ');
  return joined === 'NOT' ? `not (${text})` : text;
}

function textOfMember(scope: Scope, member: Draft): string | undefined {
  if (isKept(member)) return undefined;
  if (!isGroup(member)) return textOfCondition(scope, member);
  if (member.of === undefined) {
    const text = textOfMembers(scope, member);
    return text === undefined || member.joined === 'NOT' ? text : `(${text})`;
  }
  const { path, quantifier } = member.of;
  const entityName = memberEntity(scope.model, scope.entityName, path);
  if (entityName === undefined) return undefined;
  const variable = `m${scope.depth}`;
  const inner = textOfMembers({ ...scope, entityName, variable, depth: scope.depth + 1 }, member);
  if (inner === undefined) return undefined;
  const where = quantifier === 'every' ? `not (${inner})` : inner;
  const found = `exists (select ${variable} from ${scope.variable}.${path} ${variable} where ${where})`;
  return quantifier === 'some' ? found : `not ${found}`;
}

function textOfCondition({ model, entityName, variable }: Scope, condition: DraftCondition): string | undefined {
  if (problemOf(model, entityName, condition) !== undefined) return undefined;
  const { path, operator, value } = condition;
  const found = resolveFilterPath(model, entityName, path);
  if (found === undefined || found.inside !== undefined || path.includes('+')) return undefined;
  const { attribute } = found;
  const kind = valueKindOf(attribute);
  if (kind === 'other' || (kind === 'reference' && isToMany(attribute))) return undefined;
  const name = `${variable}.${path}`;
  if (operator === 'isNull') return `${name} is null`;
  if (operator === 'notEmpty') return `${name} is not null`;
  const compared = kind === 'reference' ? `${name}.id` : name;
  const literal = (each: unknown): string | undefined => literalOf(each, kind === 'number');
  if (operator === 'in' || operator === 'notIn') {
    const values = (value as readonly unknown[]).map(literal);
    if (values.includes(undefined)) return undefined;
    return `${compared} ${operator === 'in' ? 'in' : 'not in'} (${values.join(', ')})`;
  }
  if (COMPARISONS.has(operator)) {
    const text = literal(value);
    return text === undefined ? undefined : `${compared} ${operator} ${text}`;
  }
  const like = LIKE[operator as keyof typeof LIKE];
  if (like === undefined || typeof value !== 'string') return undefined;
  const [before, after, negation] = like;
  const words = value.replace(/[\\%_]/g, (character) => `\\${character}`);
  return `lower(${name}) ${negation}like lower(${quoted(`${before}${words}${after}`)}) escape '\\'`;
}

function literalOf(value: unknown, isNumber: boolean): string | undefined {
  const parameter = parameterOf(value);
  if (parameter !== undefined) return `:${parameter}`;
  if (typeof value === 'boolean') return String(value);
  const text = String(value);
  if (!isNumber) return typeof value === 'object' ? undefined : quoted(text);
  return /^-?\d+(\.\d+)?$/.test(text) ? text : undefined;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
