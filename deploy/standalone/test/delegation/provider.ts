import type { Random } from '../../../../services/data/test/security/delegation-model/random.ts';
import { NAMES } from '../../../../services/data/test/security/delegation-model/requests.ts';
import { GROUP_ROLES, SCIM_TOKEN, type System } from './system.ts';

/** A user that the provider has made. */
export interface Member {
  readonly id: string;
  readonly username: string;
}

const SCHEMAS = 'urn:ietf:params:scim:schemas:core:2.0:';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const GROUPS = Object.keys(GROUP_ROLES);
/** Users that the provider must not get: the caller would have other rights than at the start. */
const KEPT = /^(?:cora|root)$/i;

/** The operator's identity provider: it sends requests of SCIM and has logins. */
export class Provider {
  readonly #system: System;
  readonly #random: Random;
  readonly #onRoute: (route: string) => void;
  readonly roles: readonly string[] = [...Object.values(GROUP_ROLES), 'rest-minimal'];
  readonly #made = new Map<string, string>();

  constructor(system: System, random: Random, onRoute: (route: string) => void) {
    this.#system = system;
    this.#random = random;
    this.#onRoute = onRoute;
  }

  /** Those that it has now, and had before the last request. */
  async members(): Promise<readonly Member[]> {
    const provisioned = this.#system.links ? 'UNION SELECT user_id FROM auth.scim_user' : '';
    const linked = await this.#system.query(`SELECT u.id, u.username FROM sec."user" AS u
WHERE u.id IN (SELECT user_id FROM auth.federated_user ${provisioned})`);
    for (const row of linked) this.#made.set(String(row['id']), String(row['username']));
    const rows = await this.#system.query('SELECT id, username FROM sec."user"');
    const names = new Map(rows.map((row) => [String(row['id']), String(row['username'])]));
    return [...this.#made].map(([id, username]) => ({ id, username: names.get(id) ?? username }));
  }

  /** One request, and its line. */
  async ask(): Promise<string> {
    const random = this.#random;
    if (random.chance(0.2)) return this.#logIn();
    const users = [...this.#made.keys()];
    const all = (await this.#system.query('SELECT id, username FROM sec."user" ORDER BY username'))
      .filter(({ username }) => !this.#keeps(String(username)))
      .map(({ id }) => String(id));
    const user = random.one([...all, ...users, ...users]);
    const groups = (await this.#system.query('SELECT id FROM auth.scim_group ORDER BY display_name')).map((row) =>
      String(row['id']),
    );
    const group = groups.length === 0 ? user : random.one(groups);
    const name = this.#nameAmong([...NAMES, 'root', 'ida', 'iris', 'CORA', 'provider:x', 'scim']);
    const person = {
      schemas: [`${SCHEMAS}User`],
      userName: name,
      active: random.chance(0.8),
      emails: [{ value: 'p@t.example' }],
    };
    const crew = {
      schemas: [`${SCHEMAS}Group`],
      displayName: random.one(GROUPS),
      members: random
        .some([...users, user], 0.6)
        .filter((each, at, list) => list.indexOf(each) === at)
        .map((value) => ({ value })),
    };
    const patch = (...operations: object[]) => ({ schemas: [PATCH], Operations: operations });
    const [method, path, body] = random.one<readonly [string, string, unknown]>([
      ['POST', '/Users', person],
      ['POST', '/Users', person],
      ['PUT', `/Users/${user}`, person],
      [
        'PATCH',
        `/Users/${user}`,
        patch(
          random.one([
            { op: 'replace', path: 'userName', value: name },
            { op: 'replace', path: 'active', value: false },
          ]),
        ),
      ],
      ['DELETE', `/Users/${user}`, undefined],
      ['POST', '/Groups', crew],
      ['POST', '/Groups', crew],
      ['PUT', `/Groups/${group}`, crew],
      ['PATCH', `/Groups/${group}`, patch({ op: 'add', path: 'members', value: [{ value: user }] })],
      ['DELETE', `/Groups/${group}`, undefined],
    ]);
    const response = await this.#system.send(method, `/scim/v2${path}`, { token: SCIM_TOKEN, body });
    this.#onRoute(`${method} /scim/v2${path.replace(/\/[0-9a-f-]{36}$/, '/:id')}`);
    if (response.status === 201 && path === '/Users') this.#made.set(response.json().id, response.json().userName);
    if (response.status >= 500) throw new Error(response.text);
    return `${response.status} SCIM ${method} ${path} ${JSON.stringify(body) ?? ''}`;
  }

  readonly #keeps = (name: string): boolean => this.#system.links && KEPT.test(name);
  readonly #nameAmong = (names: readonly string[]): string =>
    this.#random.one(names.filter((name) => !this.#keeps(name)));

  /** The first request with a token of the issuer creates the user, and its groups give roles. */
  async #logIn(): Promise<string> {
    const name = this.#nameAmong([...NAMES, 'root', 'jon', 'jan', 'Cora']);
    const groups = this.#random.some(GROUPS, 0.5);
    const token = await this.#system.issuer.token({ sub: `subject ${name}`, preferred_username: name, groups });
    const response = await this.#system.send('GET', '/rest/userInfo', { token });
    return `${response.status} login of ${name} in ${groups}`;
  }
}
