import { nearestName } from '@lintel/errors';
import type { Model } from '@lintel/metadata';
import { USER_PARAMETER } from './session-value.ts';

/** Parameters that do not depend on the attributes of users. */
const FIXED = ['current_locale', 'session$userId', 'session$userLogin', 'session$username'] as const;

/**
 * Names of all parameters of policies and queries whose values the server fills in (contract/row-policies.md#policies):
 * those that `sessionValue` can have a value for.
 */
export function serverParameters(model: Model): readonly string[] {
  const attributes = [...(model.entities.get('sec_User')?.attributes.values() ?? [])].filter(
    ({ kind, secret, persistent }) => persistent && !secret && (kind === 'datatype' || kind === 'enum'),
  );
  return [...FIXED, ...attributes.map(({ name }) => `${USER_PARAMETER}${name}`)];
}

/** Why the names contain one that has a value for no caller, so that a condition with it never holds. */
export function serverParameterProblem(model: Model, names: readonly string[]): string | undefined {
  // A model without users, such as one of a test, does not say which attributes they have.
  const hasUsers = model.entities.has('sec_User');
  const known = serverParameters(model);
  const unknown = names.find((name) => !known.includes(name) && (hasUsers || !name.startsWith(USER_PARAMETER)));
  if (unknown === undefined) return undefined;
  const nearest = nearestName(unknown, known);
  const proposal =
    nearest === undefined ? `: expected ${known.map((name) => `:${name}`).join(', ')}` : `; did you mean :${nearest}?`;
  return `there is no parameter :${unknown}${proposal}`;
}
