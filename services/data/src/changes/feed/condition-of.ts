import { conditionProblems } from '@lintel/application';
import { PlatformError } from '@lintel/errors';
import type { Entity, Model } from '@lintel/metadata';
import type { ReadAccess } from '@lintel/query';
import { assertFilter } from '../assert-filter.ts';
import type { ChangeFeed } from './create-change-feed.ts';

const MAX_MEMBERS = 20;

/**
 * The condition of a feed on the new values of changes (contract/events.md#became).
 *
 * @throws PlatformError REQ_INVALID_PARAMETER; 403 for attributes that the caller may not view
 */
export function conditionOf(
  text: string,
  entity: Entity,
  model: Model,
  access: ReadAccess,
  { limitsOfFilters }: Pick<ChangeFeed, 'limitsOfFilters'>,
): Readonly<Record<string, unknown>> {
  const became = parsed(text);
  const names = became === undefined ? [] : Object.keys(became);
  if (became === undefined || names.length === 0 || names.length > MAX_MEMBERS)
    throw invalid(`an object of at most ${MAX_MEMBERS} members is expected`);
  // First: a mistake in a value would show that a hidden attribute exists.
  const conditions = names.map((property) => ({ property, operator: 'notEmpty', value: true }));
  assertFilter(model, entity.name, JSON.stringify({ conditions }), access, limitsOfFilters);
  const [problem] = conditionProblems(entity, became, model.enums);
  if (problem !== undefined) throw invalid(problem);
  return became;
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

const invalid = (problem: string): PlatformError => new PlatformError('REQ_INVALID_PARAMETER', `became: ${problem}`);
