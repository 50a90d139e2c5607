import type { Model } from '@lintel/metadata';
import { buildAccess, collectPolicies, type RoleRegistry } from '@lintel/security';
import { listPermissions } from '../permissions/list-permissions.ts';

interface Difference {
  readonly target: string;
  readonly first: 0 | 1 | 2;
  readonly second: 0 | 1 | 2;
}

/** The body of `GET /rights/difference`. */
export interface RoleDifference {
  readonly entities: readonly Difference[];
  readonly entityAttributes: readonly Difference[];
  readonly specifics: readonly Difference[];
}

/** What the holders of two resource roles may do differently. The scopes of the two do not count. */
export function compareRoles(
  model: Model,
  { resourceRoles }: Pick<RoleRegistry, 'resourceRoles'>,
  first: string,
  second: string,
): RoleDifference {
  const scope = { requireApiScope: false };
  const rightsOf = (code: string) => {
    const access = buildAccess([code], resourceRoles, scope);
    return { access, listed: listPermissions(model, access, { resourceRoles: [code], rowLevelRoles: [] }) };
  };
  const [one, other] = [rightsOf(first), rightsOf(second)];
  const differences = (part: 'entities' | 'entityAttributes'): readonly Difference[] =>
    one.listed[part].flatMap(({ target, value }, at) => {
      const second = other.listed[part][at]?.value ?? 0;
      return value === second ? [] : [{ target, first: value, second }];
    });
  // The application has permissions of its own, which only policies name.
  const named = collectPolicies([first, second], resourceRoles, scope).flatMap((policy) =>
    policy.kind === 'specific' && policy.name !== '*' ? [policy.name] : [],
  );
  const specifics = [...new Set([...one.listed.specifics.map(({ target }) => target), ...named])];
  const grantOf = ({ access }: typeof one, name: string): 0 | 1 => (access.hasSpecific(name) ? 1 : 0);
  return {
    entities: differences('entities'),
    entityAttributes: differences('entityAttributes'),
    specifics: specifics
      .map((target) => ({ target, first: grantOf(one, target), second: grantOf(other, target) }))
      .filter(({ first, second }) => first !== second),
  };
}
