import { eventually } from '@lintel/testkit';
import { createRandom, type Random } from '../../../../services/data/test/security/delegation-model/random.ts';
import { PASSWORD, Requests, type Sent } from '../../../../services/data/test/security/delegation-model/requests.ts';
import { beyond, type Rights } from '../../../../services/data/test/security/delegation-model/rights.ts';
import { judge, rightsOfName } from '../../../../services/data/test/security/delegation-model/run-sequence.ts';
import {
  codesOf,
  readState,
  type State,
  type StoredUser,
} from '../../../../services/data/test/security/delegation-model/state.ts';
import { fill } from '../../../../services/data/test/security/delegation-model/world.ts';
import { AUTH_ROUTES } from './auth-routes.ts';
import { browserOfUser, EVIL, forge, leaksCode, logIn, powersOf, resetPassword, signUp, tokenFor } from './held.ts';
import { type Member, Provider } from './provider.ts';
import { REGISTRATION_TOKEN, type System, type SystemResponse } from './system.ts';

const ROOT_PASSWORD = 'root-x1y2z3-long!';
const NEW_PASSWORD = 'other-x1y2z3-long!';
/** Clients that the operator has made: one whose users are asked, and one of the platform's own. */
const OPERATORS = ['asking', 'trusted'] as const;
const OWN = Object.keys(AUTH_ROUTES).filter((route) => AUTH_ROUTES[route] === 'own');

/** What sequences have sent and found. */
export interface Tally {
  readonly byRoute: Map<string, number>;
  /** By kind: how many tokens, keys and so on were tried by real requests. */
  readonly tried: Map<string, number>;
  accepted: number;
  refused: number;
}
export const newTally = (): Tally => ({ byRoute: new Map(), tried: new Map(), accepted: 0, refused: 0 });
const count = (of: Map<string, number>, key: string): void => void of.set(key, (of.get(key) ?? 0) + 1);

/** What the caller holds besides the passwords of users. */
interface Held {
  readonly keys: string[];
  /** `id:secret` */
  readonly secrets: string[];
  /** Clients that lead to the caller. */
  readonly clients: Set<string>;
}

export async function prepare(system: System, hash: string): Promise<void> {
  await system.query(
    `INSERT INTO sec."user" (id, version, username, password, active) VALUES (gen_random_uuid(), 1, 'root', $1, true)`,
    [hash],
  );
  await system.query(`INSERT INTO sec.role_assignment (id, version, username, role_code, role_type)
VALUES (gen_random_uuid(), 1, 'root', 'system-full-access', 'resource')`);
  for (const [title, by] of [
    ['DE', 'root'],
    ['FR', 'root'],
    ['x', 'cora'],
    ['y', 'dan'],
  ])
    await system.query(
      'INSERT INTO t.document (id, version, title, created_by) VALUES (gen_random_uuid(), 1, $1, $2)',
      [title, by],
    );
}

/** @returns what is wrong, with the requests; empty if nothing is */
export class Sequence {
  readonly #system: System;
  readonly #tally: Tally;
  readonly #random: Random;
  readonly #history: string[] = [];
  readonly #held: Held = { keys: [], secrets: [], clients: new Set() };
  readonly #controlled = new Set<string>();
  readonly #provider: Provider;
  #state: State;
  #count = 0;
  #signUps = 0;

  private constructor(system: System, tally: Tally, random: Random, state: State) {
    this.#system = system;
    this.#tally = tally;
    this.#random = random;
    this.#state = state;
    this.#provider = new Provider(system, random, (route) => count(tally.byRoute, route));
  }

  static async run(
    system: System,
    { seed, maxRequests, probes, tally }: { seed: number; maxRequests: number; probes: boolean; tally: Tally },
  ): Promise<readonly string[]> {
    const random = createRandom(seed);
    const sequence = new Sequence(system, tally, random, await reset(system, random));
    const problems = await sequence.#run(1 + random.below(maxRequests), probes);
    return problems.length === 0 ? [] : [`Sequence ${seed}`, ...sequence.#history, ...problems];
  }

  async #run(total: number, probes: boolean): Promise<readonly string[]> {
    const caller = this.#state.users.find(({ username }) => username === 'cora') as StoredUser;
    const ceiling = rightsOfName('cora', this.#state);
    const start = this.#state;
    // An event about the user who had the name in the former sequence may end the first login.
    const begun = await eventually(async () => {
      const own = await logIn(this.#system, 'cora', PASSWORD);
      const may = own === undefined ? undefined : await powersOf(this.#system, own);
      if (own === undefined || may === undefined) throw new Error('The caller cannot log in');
      return { own, powers: may };
    });
    const { powers } = begun;
    let token: string | undefined = begun.own;
    const requests = new Requests(this.#random);
    for (let at = 0; at < total; at += 1) {
      if (this.#random.chance(0.15)) {
        const problems = await this.#askProvider(caller);
        if (problems.length > 0) return problems;
        continue;
      }
      const own = this.#state.users.find(({ id }) => id === caller.id);
      if (own === undefined) break;
      const sent = this.#specific(this.#random.chance(0.3) ? this.#credential() : requests.next(this.#state));
      const response = await this.#send(sent, token);
      if (response.status === 401) {
        token = await logIn(this.#system, own.username, PASSWORD);
        if (token === undefined) break;
      }
      const problems = await this.#judge(sent, response, caller, ceiling);
      if (problems.length > 0) return problems;
      if (sent.route === 'seeAs' && response.status === 201) {
        const problem = await this.#try('see-as', String(response.json().access_token), powers);
        if (problem !== undefined) return [problem];
        await this.#system.send('DELETE', '/rest/rights/see-as', { token });
      }
    }
    return probes ? this.#probe(start, caller, powers, ceiling) : [];
  }

  /** A request for what gives tokens. */
  #credential(): Sent {
    const { users } = this.#state;
    const [route, method, path, body] = this.#random.one<readonly [string, string, string, unknown]>([
      ['createClient', 'POST', '/clients', {}],
      ['updateClient', 'PUT', '/clients/x', {}],
      ['createClientSecret', 'POST', '/clients/x/secrets', undefined],
      ['createApiKey', 'POST', '/api-keys', {}],
      ['updateEntity', 'PUT', `/entities/sec_User/${this.#random.one(users).id}`, { email: 'mine@t.example' }],
      ['seeAs', 'POST', '/rights/see-as', { username: this.#random.one(users).username }],
    ]);
    return { route, method, path, headers: {}, body };
  }

  /** Clients and keys that give as much as possible. */
  #specific(sent: Sent): Sent {
    const random = this.#random;
    const codes = [...codesOf('cora', this.#state, 'resource'), 'system-full-access', 'chief', 'rest-minimal'];
    const client = () => ({
      grantTypes: random.one([
        ['client_credentials'],
        ['authorization_code'],
        ['authorization_code', 'client_credentials'],
      ]),
      redirectUris: [EVIL],
      scopes: ['rest-api'],
      resourceRoles: random.some(codes, 0.3),
      rowLevelRoles: random.some(codesOf('cora', this.#state, 'row-level'), 0.7),
      requireAuthorizationConsent: random.chance(0.7),
    });
    const known = random.one([...OPERATORS, ...this.#held.clients]);
    const path = sent.path.replace(/^\/clients\/[^/?]+/, `/clients/${known}`);
    switch (sent.route) {
      case 'createClient':
        this.#count += 1;
        return { ...sent, body: { clientId: `mine-${this.#count}`, ...client() } };
      case 'updateClient':
        return { ...sent, path, body: Object.fromEntries(random.some(Object.entries(client()), 0.5)) };
      case 'createClientSecret':
      case 'deleteClientSecret':
      case 'deleteClient':
        return { ...sent, path };
      case 'createApiKey':
        return { ...sent, body: { name: 'key', resourceRoles: random.some(codes, 0.5) } };
      default:
        return sent;
    }
  }

  async #send(sent: Sent, token: string): Promise<SystemResponse> {
    const { method, path, headers, body } = sent;
    const response = await this.#system.send(method, `/rest${path}`, { token, body, headers });
    this.#history.push(
      `${response.status} ${method} ${path} ${JSON.stringify(body) ?? ''} ${response.text.slice(0, 200)}`,
    );
    count(this.#tally.byRoute, sent.route);
    if (response.status < 300) this.#tally.accepted += 1;
    if (response.status === 403) this.#tally.refused += 1;
    return response;
  }

  async #judge(sent: Sent, response: SystemResponse, caller: StoredUser, ceiling: Rights): Promise<readonly string[]> {
    if (response.status >= 500 && response.status !== 502) return [response.text];
    if (response.status >= 300) return [];
    const { keys, secrets, clients } = this.#held;
    if (sent.route === 'createApiKey') keys.push(String(response.json().key));
    const [, id = String((sent.body as { clientId?: string } | undefined)?.clientId)] =
      /^\/clients\/([^/?]+)/.exec(sent.path) ?? [];
    if (/Client(?:Secret)?$/.test(sent.route)) {
      if (sent.route === 'deleteClient') clients.delete(id);
      else clients.add(id);
      const secret = response.text === '' ? undefined : response.json().clientSecret;
      if (typeof secret === 'string') secrets.push(`${id}:${secret}`);
      if (OPERATORS.some((each) => each === id) && (sent.route !== 'updateClient' || isEndangered(id, response)))
        return beyond(rightsOfName('root', this.#state), ceiling).map(
          (what) => `changes a client of root, who has ${what}`,
        );
    }
    if (!sent.path.startsWith('/entities/')) return [];
    const before = this.#state;
    this.#state = await readState((text) => this.#system.query(text));
    if (before.version !== this.#state.version) await this.#system.rolesAreRead();
    return judge({ before, after: this.#state, ceiling, callerId: caller.id, controlled: this.#controlled });
  }

  /** The operator's tables decide what its provider gives: no more, and to no other users. */
  async #askProvider(caller: StoredUser): Promise<readonly string[]> {
    const before = this.#state;
    this.#history.push(await this.#provider.ask());
    this.#state = await readState((text) => this.#system.query(text));
    const ours = new Map<string, Member>((await this.#provider.members()).map((each) => [each.id, each]));
    const problems: string[] = [];
    const former = new Map(before.users.map((user) => [user.id, user]));
    for (const user of this.#state.users)
      if (former.get(user.id)?.row !== user.row && !ours.has(user.id))
        problems.push(`the provider changes ${user.username}`);
    for (const { id, username } of before.users)
      if (!this.#state.users.some((user) => user.id === id) && !ours.has(id))
        problems.push(`the provider removes ${username}`);
    const names = new Set([...ours.values()].map(({ username }) => username));
    // Assignments follow the name of their user.
    const renamed = new Map(
      this.#state.users.map(({ id, username }) => [former.get(id)?.username ?? username, username]),
    );
    const known = new Set(
      before.assignments.map((each) =>
        JSON.stringify({ ...each, username: renamed.get(each.username) ?? each.username }),
      ),
    );
    for (const each of this.#state.assignments) {
      if (known.has(JSON.stringify(each))) continue;
      if (!names.has(each.username)) problems.push(`the provider gives ${each.username} the role ${each.code}`);
      if (!this.#provider.roles.includes(each.code)) problems.push(`the provider gives the role ${each.code}`);
    }
    // What the operator's tables give to a user, whose password the caller has set, is the operator's decision.
    for (const id of ours.keys()) if (id !== caller.id) this.#controlled.delete(id);
    return problems;
  }

  /** Tries everything that the caller holds. */
  async #probe(
    start: State,
    caller: StoredUser,
    powers: ReadonlyMap<string, number>,
    ceiling: Rights,
  ): Promise<readonly string[]> {
    const system = this.#system;
    const problems: (string | undefined)[] = [];
    const former = new Map(start.users.map((user) => [user.id, user]));
    for (const user of this.#state.users) {
      if (user.id !== caller.id && !this.#controlled.has(user.id)) continue;
      const isMailed = user.id !== caller.id && user.email !== former.get(user.id)?.email && user.email !== null;
      const isReset = isMailed && (await resetPassword(system, user.username, user.email, NEW_PASSWORD));
      if (isReset) count(this.#tally.tried, 'link');
      const token = await logIn(system, user.username, isReset ? NEW_PASSWORD : PASSWORD);
      if (token !== undefined) problems.push(await this.#try(`login as ${user.username}`, token, powers));
    }
    for (const key of this.#held.keys) problems.push(await this.#try('API key', key, powers));
    for (const secret of this.#held.secrets) {
      const token = await tokenFor(system, { grant_type: 'client_credentials' }, secret);
      if (token !== undefined) problems.push(await this.#try(`client ${secret.split(':')[0]}`, token, powers));
    }
    const registered = await system.send('POST', '/oauth2/register', {
      token: REGISTRATION_TOKEN,
      body: { redirect_uris: [EVIL], grant_types: ['authorization_code'], token_endpoint_auth_method: 'none' },
    });
    if (registered.status !== 201) throw new Error(registered.text);
    const clients = [...this.#held.clients, String(registered.json().client_id)];
    for (const [victim, password] of [
      ['root', ROOT_PASSWORD],
      ['dan', PASSWORD],
    ] as const) {
      if (beyond(rightsOfName(victim, this.#state), ceiling).length === 0) continue;
      const browser = await browserOfUser(system, victim, password);
      if (browser === undefined) continue;
      for (const client of clients) {
        count(this.#tally.tried, 'code');
        if (await leaksCode(browser, client))
          problems.push(`the client ${client} gets a code of ${victim} without a page`);
      }
    }
    if (this.#random.chance(0.3)) problems.push(...(await this.#forge(caller)));
    return problems.filter((problem) => problem !== undefined);
  }

  /** Tries the routes of users themselves on root, and a user of the caller's own. */
  async #forge(caller: StoredUser): Promise<readonly (string | undefined)[]> {
    const system = this.#system;
    const now = this.#state.users.find(({ id }) => id === caller.id);
    const token = now && (await logIn(system, now.username, PASSWORD));
    const browser = now && (await browserOfUser(system, now.username, PASSWORD));
    if (token === undefined || browser === undefined) return [];
    const powers = await powersOf(system, token);
    const roots = await logIn(system, 'root', ROOT_PASSWORD);
    const rowOf = ({ users, assignments }: State) =>
      JSON.stringify([
        users.filter(({ username }) => username === 'root'),
        assignments.filter((each) => each.username === 'root'),
      ]);
    const before = rowOf(await readState((text) => system.query(text)));
    const failed = await forge(system, OWN, { username: 'root', token, next: NEW_PASSWORD }, browser);
    for (const route of OWN) count(this.#tally.tried, route);
    this.#signUps += 1;
    const email = `mine-${this.#signUps}-${now?.id}@t.example`;
    const isSignedUp = await signUp(system, email, NEW_PASSWORD);
    const own = isSignedUp ? await logIn(system, email, NEW_PASSWORD) : undefined;
    return [
      failed,
      before === rowOf(await readState((text) => system.query(text))) ? undefined : 'root has changed',
      roots !== undefined && (await powersOf(system, roots)) !== undefined ? undefined : 'the login of root has ended',
      isSignedUp ? undefined : 'nobody can sign up',
      own && powers && (await this.#try('sign-up', own, powers)),
    ];
  }

  async #try(what: string, token: string, powers: ReadonlyMap<string, number>): Promise<string | undefined> {
    count(this.#tally.tried, what.split(' ', 1)[0] ?? what);
    const now = await powersOf(this.#system, token);
    if (now === undefined) return undefined;
    const more = [...now].filter(([target, value]) => value > (powers.get(target) ?? 0)).map(([target]) => target);
    return more.length === 0 ? undefined : `${what} may ${more.join(', ')}`;
  }
}

/** Whether codes of users go elsewhere, or without a page (contract/clients.md#trust). */
function isEndangered(id: string, response: SystemResponse): boolean {
  const { grantTypes, redirectUris, requireAuthorizationConsent } = response.json();
  return (
    JSON.stringify({ clientId: id, grantTypes, redirectUris, requireAuthorizationConsent }) !==
    JSON.stringify(operators(id))
  );
}

const operators = (clientId: string) => ({
  clientId,
  grantTypes: ['authorization_code'],
  redirectUris: ['https://app.example/c'],
  requireAuthorizationConsent: clientId === 'asking',
});

/** The tables as at the start, with new users. */
async function reset(system: System, random: Random): Promise<State> {
  await system.query('DELETE FROM t.employee');
  await system.query(`DELETE FROM sec."user" WHERE username <> 'root'`);
  await system.query(`DELETE FROM sec.role_assignment WHERE username <> 'root'`);
  await system.query(`TRUNCATE sec.resource_role, sec.resource_policy, sec.row_level_role, sec.row_level_policy,
auth.scim_user, auth.scim_group, auth.scim_member, auth.federated_user, auth.password_reset CASCADE`);
  const token = await logIn(system, 'root', ROOT_PASSWORD);
  if (token === undefined) throw new Error('root has no token');
  const post = async (path: string, body: unknown): Promise<void> => {
    const response = await system.send('POST', `/rest${path}`, { token, body });
    if (response.status !== 201) throw new Error(`${path}: ${response.text}`);
  };
  const { length } = (await system.send('GET', '/rest/clients?limit=1000', { token })).json();
  if (length > 1) {
    const all = (await system.send('GET', '/rest/clients?limit=1000', { token })).json();
    for (const { clientId, source } of all)
      if (source === 'database') await system.send('DELETE', `/rest/clients/${clientId}`, { token });
  }
  for (const clientId of OPERATORS) await post('/clients', operators(clientId));
  await fill((entity, instances) => post(`/entities/${entity}`, instances), random, system.rolesAreRead);
  await system.rolesAreRead();
  return readState((text) => system.query(text));
}

export { ROOT_PASSWORD };
