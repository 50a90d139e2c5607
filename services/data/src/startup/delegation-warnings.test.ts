import { resourceRole, specificPolicy } from '@lintel/security';
import { delegationWarnings } from './delegation-warnings.ts';

// Asserts contract/roles.md#delegation.
test.each(['webhooks.owner.choose', 'passwords.manage', 'api-keys.manage'])(
  'a role with %s alone is named at the start',
  (permission) => {
    const role = resourceRole('keeper', { name: 'Keeper', policies: [specificPolicy(permission)] });
    const other = resourceRole('other', { name: 'Other', policies: [specificPolicy('reports.sql.edit')] });
    const resourceRoles = new Map([role, other].map((one) => [one.code, one]));
    expect(delegationWarnings('bounded', { resourceRoles })).toEqual([
      expect.stringContaining('svc.security.delegation=bounded: with keeper alone'),
    ]);
  },
);
