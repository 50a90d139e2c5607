import { PlatformError } from '@lintel/errors';
import { entityOf, type Model } from '@lintel/metadata';
import { assertConditionReadable, parsePolicyCondition, type ReadAccess, serverParametersOf } from '@lintel/query';
import { USER_PARAMETER } from './session-value.ts';
import type { StoredRowPolicy } from './stored-roles.ts';

/** Who names a user knows these values. */
const KNOWN = new Set(['id', 'username']);

/**
 * Refuses a row-level policy that depends on what its author may not read: entities and attributes that its text names,
 * subqueries included, and attributes of users (contract/row-policies.md#authors).
 *
 * @param policy one that `readRowPolicy` accepts
 * @throws PlatformError ACCESS_READ_DENIED naming entity and attribute, or AUTH_STEP_UP_REQUIRED
 */
export function assertPolicyReadable(model: Model, policy: StoredRowPolicy, author: ReadAccess): void {
  const entity = entityOf(model, policy.entityName);
  const isQuery = policy.type === 'query';
  const text = (isQuery ? policy.whereClause : policy.script) ?? '';
  const condition = parsePolicyCondition(text, undefined, isQuery ? (policy.joinClause ?? undefined) : undefined);
  assertConditionReadable(model, entity, condition, author);
  const users = author.entity('sec_User');
  for (const name of serverParametersOf(model, entity, condition)) {
    if (!name.startsWith(USER_PARAMETER)) continue;
    const attribute = name.slice(USER_PARAMETER.length);
    const shown = [attribute, attribute.replace(/_id$/, '')];
    if (KNOWN.has(attribute) || (users.canRead && shown.some((one) => users.mayView(one)))) continue;
    throw new PlatformError('ACCESS_READ_DENIED', `Reading of the attribute sec_User.${attribute} is forbidden`);
  }
}
