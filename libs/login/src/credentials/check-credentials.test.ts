import { hashPassword } from '@lintel/passwords';
import type { Account, AccountDirectory } from '../login-ports.ts';
import { checkCredentials } from './check-credentials.ts';

/** `anna` has a password, `grace` has none, `sleeper` is disabled. */
async function directory(): Promise<AccountDirectory> {
  const account = (username: string, passwordHash: string, isActive = true): Account => ({
    id: `id of ${username}`,
    username,
    passwordHash,
    isActive,
    locale: null,
    resourceRoles: [],
    rowLevelRoles: [],
    attributes: {},
  });
  const all = new Map<string, Account>([
    ['anna', account('anna', await hashPassword('right'))],
    ['grace', account('grace', '')],
    ['sleeper', account('sleeper', await hashPassword('right'), false)],
    ['system', account('system', await hashPassword('right'))],
  ]);
  return {
    find: async (username) => all.get(username),
    namesLike: () => Promise.reject(new Error('Names compare exactly')),
    rolesOf: () => Promise.reject(new Error('The check of a password reads no roles')),
    replacePasswordHash: () => Promise.reject(new Error('No hash here is weak')),
  };
}

// Asserts contract/tokens.md#guessing.
test.each([
  ['a user with a wrong password', 'anna', 'wrong'],
  ['a user with the right password', 'anna', 'right'],
  ['a user with an empty password', 'anna', ''],
  ['a user without a password', 'grace', 'wrong'],
  ['a disabled user', 'sleeper', 'right'],
  ['a user that is built in', 'system', 'right'],
  ['an unknown user', 'no user has this name', 'wrong'],
  ['an unknown user with an empty password', 'no user has this name', ''],
])('unknown users take the work of known ones, one verification: %s', async (_case, username, password) => {
  let verifications = 0;
  await checkCredentials(username, password, await directory(), (work) => {
    verifications += 1;
    return work();
  });
  expect(verifications).toBe(1);
});
