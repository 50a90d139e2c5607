import type { ResourceRole } from '../api/roles.ts';
import { effectiveRights } from './effective-rights.ts';

const role = (code: string, policies: readonly [string, string, string][], childRoles: readonly string[] = []) =>
  ({
    ...{ code, name: `The ${code}`, childRoles, isReplaced: false },
    policies: policies.map(([type, resource, action]) => ({ type, resource, action, effect: 'allow' })),
  }) as unknown as ResourceRole;

test('each right of a user has the roles that give it, child roles and rights on all entities included', () => {
  const rights = effectiveRights(
    {
      authorities: ['clerk', 'row_level_role:own', 'gone'],
      entities: [
        { target: 't_Car:read', value: 1 },
        { target: 't_Car:update', value: 1 },
        { target: 't_Car:delete', value: 0 },
      ],
      specifics: [
        { target: 'rest.enabled', value: 1 },
        { target: 'rights.view', value: 0 },
      ],
    },
    [
      role('clerk', [['entity', 't_Car', 'all']], ['reader']),
      // A role may include one that includes it.
      role(
        'reader',
        [
          ['entity', '*', 'read'],
          ['specific', 'rest.enabled', 'access'],
        ],
        ['clerk'],
      ),
      role('other', [['entity', 't_Car', 'read']]),
    ],
  );
  expect(rights).toEqual({
    entities: [{ entityName: 't_Car', by: { read: ['The clerk', 'The reader'], update: ['The clerk'] } }],
    specifics: [{ name: 'rest.enabled', roles: ['The reader'] }],
    rowRoles: ['own'],
  });
});
