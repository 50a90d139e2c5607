import { randomBytes } from 'node:crypto';
import type { ApplicationData } from '@lintel/application';

/** A user to add. */
export interface NewUser {
  /** Name of the user; the password is random. */
  readonly username: string;
  /** Codes of resource roles. */
  readonly roles?: readonly string[];
  /** Codes of row-level roles. */
  readonly rowLevelRoles?: readonly string[];
  /** Other attributes of `sec_User`, such as `{ email: 'ada@example.com' }`. */
  readonly attributes?: Readonly<Record<string, unknown>>;
}

/** The users of an application, and their tokens. */
export interface TestUsers {
  /** Creates a user with the roles, in one transaction. */
  add(user: NewUser): Promise<void>;
  /** @throws Error if there is no such user, or if it may not log in */
  tokenOf(username: string): Promise<string>;
  /** Requests a new token of each user when it is needed next. */
  forgetTokens(): void;
}

export interface TestUsersOptions {
  readonly data: ApplicationData;
  /** Address of the gateway. */
  readonly url: string;
  /** `id:secret` of a client with the password grant. */
  readonly client: string;
  /** Users whose password is the name. */
  readonly namedPasswords: readonly string[];
}

export function createUsers({ data, url, client, namedPasswords }: TestUsersOptions): TestUsers {
  const passwords = new Map(namedPasswords.map((username) => [username, username]));
  const tokens = new Map<string, Promise<string>>();

  const passwordOf = async (username: string): Promise<string> => {
    const known = passwords.get(username);
    if (known !== undefined) return known;
    const users = await data.loadList('sec_User', { fetchPlan: '_local', sort: 'username' });
    const user = users.find((one) => one['username'] === username);
    if (user === undefined)
      throw new Error(`There is no user ${username}; there are ${users.map((one) => one['username']).join(', ')}`);
    const password = randomPassword();
    await data.update('sec_User', user.id, { password });
    passwords.set(username, password);
    return password;
  };

  const logIn = async (username: string): Promise<string> => {
    const password = await passwordOf(username);
    const response = await fetch(`${url}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(client)}` },
      body: new URLSearchParams({ grant_type: 'password', username, password }),
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${username} gets no token: ${response.status} ${text}`);
    return (JSON.parse(text) as { access_token: string }).access_token;
  };

  return {
    async add({ username, roles = [], rowLevelRoles = [], attributes = {} }) {
      const password = randomPassword();
      await data.inTransaction(async (within) => {
        await within.create('sec_User', { active: true, ...attributes, username, password });
        for (const roleCode of roles)
          await within.create('sec_RoleAssignment', { username, roleType: 'resource', roleCode });
        for (const roleCode of rowLevelRoles)
          await within.create('sec_RoleAssignment', { username, roleType: 'row-level', roleCode });
      });
      passwords.set(username, password);
    },
    tokenOf(username) {
      const token = tokens.get(username) ?? logIn(username);
      tokens.set(username, token);
      // The next call may succeed.
      token.catch(() => tokens.delete(username));
      return token;
    },
    forgetTokens: () => tokens.clear(),
  };
}

const randomPassword = (): string => randomBytes(18).toString('base64url');
