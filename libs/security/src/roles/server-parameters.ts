import { nearestName } from '@lintel/errors';
import { isToOne, type Model } from '@lintel/metadata';
import { SESSION_PARAMETER, USER_PARAMETER } from './session-value.ts';

/** Parameters that do not depend on the attributes of users. */
const FIXED = ['current_locale', 'session$userId', 'session$userLogin', 'session$username'] as const;

/**
 * Names of all parameters of policies and queries whose values the server fills in (contract/row-policies.md#policies):
 * those that `sessionValue` can have a value for.
 */
export function serverParameters(model: Model): readonly string[] {
  const attributes = [...(model.entities.get('sec_User')?.attributes.values() ?? [])].filter(
    ({ secret, persistent }) => persistent && !secret,
  );
  const names = attributes.flatMap((attribute) => {
    // A reference is its id, with the same value under both names.
    if (isToOne(attribute)) return [attribute.name, `${attribute.name}_id`];
    return attribute.kind === 'datatype' || attribute.kind === 'enum' ? [attribute.name] : [];
  });
  return [
    ...FIXED,
    ...names.map((name) => `${USER_PARAMETER}${name}`),
    ...(model.sessionAttributes ?? []).map((name) => `${SESSION_PARAMETER}${name}`),
  ];
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
