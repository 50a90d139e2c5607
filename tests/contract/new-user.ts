import { as, tokenRequest, unique } from './api.ts';

/** A user with roles, who has logged in. */
export interface NewUser {
  readonly username: string;
  readonly token: string;
}

const assign = async (username: string, roleCode: string, roleType = 'resource'): Promise<void> => {
  const body = { username, roleCode, roleType };
  expect((await as('admin', 'POST', '/entities/sec_RoleAssignment', { body })).status).toBe(201);
};

/** Creates a user and logs it in. */
export async function newUser(resource: readonly string[], rowLevel: readonly string[] = []): Promise<NewUser> {
  const username = unique('r');
  const password = `secret-of-${username}`;
  const body = { username, password, country: 'DE' };
  expect((await as('admin', 'POST', '/entities/sec_User', { body })).status).toBe(201);
  for (const code of resource) await assign(username, code);
  for (const code of rowLevel) await assign(username, code, 'row-level');
  const { access_token } = (await tokenRequest('/oauth/token', { grant_type: 'password', username, password })).json();
  return { username, token: access_token };
}
