import type { StatementRunner } from '../database.ts';
import { readAssignedRoles } from './read-account.ts';

const assigned = (...assignments: readonly { readonly code: string; readonly type: string }[]): StatementRunner =>
  ({ query: async () => [{ roles: JSON.stringify(assignments) }] }) as unknown as StatementRunner;

test('an assignment of a type that does not exist counts as row-level: it may have been meant to restrict', async () => {
  const database = assigned(
    { code: 'clerk', type: 'resource' },
    { code: 'own', type: 'row-level' },
    { code: 'own-region', type: 'Row_Level' },
    { code: 'admin', type: 'RESOURCE' },
  );
  expect(await readAssignedRoles(database, 'ada')).toEqual({
    resourceRoles: ['clerk'],
    rowLevelRoles: ['own', 'own-region', 'admin'],
  });
});
