import { randomUUID } from 'node:crypto';
import { defineApplication } from '@lintel/application';
import { createMemoryStore, createSessionStore, type KeyValueStore, type SessionStore } from '@lintel/cache';
import { INSECURITIES, loadSettings } from '@lintel/config';
import type { Envelope } from '@lintel/contracts';
import { createEnvelope, createInProcessBus, type EventBus } from '@lintel/events';
import { FORWARDING_PROOF_HEADER, forwardingProofOf, listen } from '@lintel/http';
import { createMessages, type MessageBundle } from '@lintel/metadata';
import { hashPassword } from '@lintel/passwords';
import { createDatabase, type Database } from '@lintel/persistence';
import { runMigrations } from '@lintel/schema';
import { createLogger } from '@lintel/telemetry';
import { cloneTestDatabase, propertiesOf, type Settled, type TestDatabase, withConstants } from '@lintel/testkit';
import { createAuthService } from '../src/app.ts';
import { settings } from '../src/config.ts';

/** A database with the tables of the platform, for `startAuth`. */
export const createAuthDatabase = (): Promise<TestDatabase> =>
  cloneTestDatabase({ key: 'platform', build: (url) => runMigrations({ url, migrations: [] }) }, 'auth');

/** The auth service over a real PostgreSQL, with everything else in memory. */
export interface RunningAuth {
  readonly url: string;
  readonly internalUrl: string;
  readonly testDatabase: TestDatabase;
  readonly database: Database;
  readonly keyValues: KeyValueStore;
  readonly sessions: SessionStore;
  readonly bus: EventBus;
  /** All events that auth has published. */
  readonly published: Envelope[];
  /** Lines of the log. */
  readonly log: string[];
  /** Form post with Basic credentials; `client` is `id:secret`. */
  post(path: string, form: Record<string, string> | string, options?: PostOptions): Promise<TestResponse>;
  internal(path: string, body: unknown, secret?: string, headers?: Record<string, string>): Promise<TestResponse>;
  /** Inserts a user with a password, and resource roles. */
  addUser(username: string, options?: AddUserOptions): Promise<void>;
  /** Publishes that a user or the assignments of a user changed, as the data service does. */
  userChanged(username: string): Promise<void>;
  assignmentChanged(username: string): Promise<void>;
  rolesChanged(): Promise<void>;
  close(): Promise<void>;
}

export interface PostOptions {
  readonly client?: string | null;
  readonly headers?: Record<string, string>;
  readonly method?: string;
}

export interface AddUserOptions {
  readonly passwordHash?: string | null;
  readonly active?: boolean;
  readonly locale?: string;
  readonly country?: string;
  readonly roles?: readonly string[];
  readonly rowLevelRoles?: readonly string[];
}

export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
  readonly json: any;
}

export const INTERNAL_SECRET = 'internal secret of the test';

export interface StartAuthOptions {
  readonly properties?: Settled;
  /** Another connection to the database, e.g. through a proxy that can be interrupted. */
  readonly databaseUrl?: string;
  /** The store of sessions and access tokens; in memory without it. Not closed by `close`. */
  readonly keyValues?: KeyValueStore;
  /** Texts of the application. */
  readonly texts?: readonly MessageBundle[];
}

const PROPERTIES = {
  'svc.internal.secret': INTERNAL_SECRET,
  'svc.authserver.issuer': 'https://lintel.example',
  'svc.security.allow-insecure': INSECURITIES.join(','),
  'svc.authserver.key-encryption-secret': 'key encryption secret of the test',
  'svc.core.available-locales': 'en,de,zh_CN',
  'svc.authserver.client.demo.client-id': 'client',
  'svc.authserver.client.demo.client-secret': 'secret',
  'svc.authserver.client.demo.grant-types': 'password,refresh_token',
  'svc.authserver.client.integration.client-id': 'integration',
  'svc.authserver.client.integration.client-secret': 'secret',
  'svc.authserver.client.integration.grant-types': 'client_credentials',
  'svc.authserver.client.integration.resource-roles': 'rest-minimal,sales-manager',
  'svc.authserver.client.integration.row-level-roles': 'own-region',
  'svc.authserver.client.signed.client-id': 'signed',
  'svc.authserver.client.signed.client-secret': 'secret',
  'svc.authserver.client.signed.grant-types': 'password,refresh_token',
  'svc.authserver.client.signed.access-token-format': 'self-contained',
  'svc.authserver.client.signed-service.client-id': 'signed-service',
  'svc.authserver.client.signed-service.client-secret': 'secret',
  'svc.authserver.client.signed-service.grant-types': 'client_credentials',
  'svc.authserver.client.signed-service.access-token-format': 'self-contained',
  'svc.authserver.client.signed-brief.client-id': 'signed-brief',
  'svc.authserver.client.signed-brief.client-secret': 'secret',
  'svc.authserver.client.signed-brief.grant-types': 'password',
  'svc.authserver.client.signed-brief.access-token-format': 'self-contained',
  'svc.authserver.client.signed-brief.access-token-time-to-live': '1s',
  'svc.authserver.client.other.client-id': 'other',
  'svc.authserver.client.other.client-secret': '{noop}other-secret',
  'svc.authserver.client.other.grant-types': 'password,refresh_token',
  'svc.authserver.client.other.scopes': 'rest-api,reports',
  'svc.authserver.client.brief.client-id': 'brief',
  'svc.authserver.client.brief.client-secret': 'secret',
  'svc.authserver.client.brief.grant-types': 'password,refresh_token',
  'svc.authserver.client.brief.access-token-time-to-live': '1s',
  'svc.authserver.client.brief.refresh-token-time-to-live': '2s',
};

export async function startAuth(testDatabase: TestDatabase, options: StartAuthOptions = {}): Promise<RunningAuth> {
  const log: string[] = [];
  const logger = createLogger({ service: 'auth', level: 'debug', destination: { write: (line) => log.push(line) } });
  const clock = { now: () => Date.now() };
  const database = createDatabase({
    url: options.databaseUrl ?? testDatabase.url,
    maxConnections: 5,
    statementTimeoutMs: 60_000,
    applicationName: 'lintel-auth-test',
    logger,
  });
  const keyValues = options.keyValues ?? createMemoryStore({ clock });
  const sessions = createSessionStore(keyValues);
  const bus = createInProcessBus({ logger });
  const published: Envelope[] = [];
  await bus.subscribe({
    queue: { kind: 'replica', service: 'test' },
    types: ['auth.session.ended.v1', 'auth.session.changed.v1', 'auth.token.revoked.v1', 'auth.client.changed.v1'],
    handle: async (envelope) => {
      published.push(envelope);
    },
  });
  const given = options.properties ?? {};
  const loaded = loadSettings(settings, {
    sources: [
      {
        label: 'test',
        kind: 'application',
        values: { ...PROPERTIES, 'svc.datasource.url': testDatabase.url, ...propertiesOf(given) },
      },
    ],
    readSecretFile: () => '',
  });
  const config = withConstants(loaded, given);
  const ids = { next: () => randomUUID() };
  const { messages: platform } = defineApplication({ id: 'test', name: 'Test', entities: [] });
  const messages = createMessages(...platform.layers, options.texts ?? []);
  const auth = await started();
  async function started() {
    try {
      const service = createAuthService({ database, keyValues, sessions, bus, logger, clock, ids, messages }, config);
      await service.start();
      return service;
    } catch (error) {
      await bus.close();
      await database.close();
      throw error;
    }
  }
  const server = await listen(auth.app, { host: '127.0.0.1', port: 0 });
  const internalServer = await listen(auth.internalApp, { host: '127.0.0.1', port: 0 });
  return {
    url: server.url,
    internalUrl: internalServer.url,
    testDatabase,
    database,
    keyValues,
    sessions,
    bus,
    published,
    log,
    post: (path, form, { client = 'client:secret', headers = {}, method = 'POST' } = {}) =>
      send(`${server.url}${path}`, {
        method,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          ...(client === null ? {} : { authorization: `Basic ${Buffer.from(client).toString('base64')}` }),
          ...viaGateway(headers),
        },
        ...(method === 'POST' ? { body: typeof form === 'string' ? form : new URLSearchParams(form).toString() } : {}),
      }),
    internal: (path, body, secret = INTERNAL_SECRET, headers = {}) =>
      send(`${internalServer.url}/internal${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    addUser: (username, user) => addUser(testDatabase, username, user),
    userChanged: (username) => publish(bus, 'data.user.changed.v1', username, { username, change: 'updated' as const }),
    assignmentChanged: (username) => publish(bus, 'data.assignment.changed.v1', username, { username }),
    rolesChanged: () => bus.publish([createEnvelope({ ...ofData('roles'), type: 'data.roles.changed.v1', data: {} })]),
    async close() {
      await Promise.all([server.close(), internalServer.close()]);
      await auth.close();
      await bus.close();
      await database.close();
    },
  };
}

/** Headers of a request as the gateway sends it: with the proof that its `X-Forwarded-For` is true. */
export const viaGateway = (headers: Record<string, string> = {}): Record<string, string> =>
  headers['x-forwarded-for'] === undefined
    ? headers
    : { ...headers, [FORWARDING_PROOF_HEADER]: forwardingProofOf(INTERNAL_SECRET) };

async function send(url: string, init: RequestInit): Promise<TestResponse> {
  const response = await fetch(url, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: text === '' ? undefined : parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const ofData = (subject: string) => ({ owner: 'data', subject, id: randomUUID(), time: new Date() });

async function publish(
  bus: EventBus,
  type: 'data.user.changed.v1' | 'data.assignment.changed.v1',
  subject: string,
  data: { username: string; change: 'updated' } | { username: string },
): Promise<void> {
  const parts = ofData(subject);
  await bus.publish([
    createEnvelope(
      type === 'data.user.changed.v1'
        ? { ...parts, type, data: { change: 'updated', ...data } }
        : { ...parts, type, data },
    ),
  ]);
}

/** The password of a user is the user name. */
/** A user as an earlier version has stored it: the name may differ from another one by case only. Returns its id. */
export async function addFormerUser(database: TestDatabase, username: string): Promise<string> {
  const [row] = await database.query<{ readonly id: string }>(
    `WITH off AS (SELECT set_config('session_replication_role', 'replica', true))
INSERT INTO sec."user" (id, version, username, active) SELECT gen_random_uuid(), 1, $1, true FROM off RETURNING id`,
    [username],
  );
  return row?.id ?? '';
}

export async function addUser(database: TestDatabase, username: string, user: AddUserOptions = {}): Promise<void> {
  const hash = user.passwordHash === undefined ? await hashPassword(username) : user.passwordHash;
  await database.query(
    `INSERT INTO sec."user" (id, version, username, password, active, locale, country) VALUES ($1, 1, $2, $3, $4, $5, $6)`,
    [randomUUID(), username, hash, user.active ?? true, user.locale ?? null, user.country ?? null],
  );
  for (const [type, codes] of [
    ['resource', user.roles ?? []],
    ['row-level', user.rowLevelRoles ?? []],
  ] as const)
    for (const code of codes) await addAssignment(database, username, code, type);
}

export async function addAssignment(
  database: TestDatabase,
  username: string,
  code: string,
  type: 'resource' | 'row-level' = 'resource',
): Promise<void> {
  await database.query(
    'INSERT INTO sec.role_assignment (id, version, username, role_code, role_type) VALUES ($1, 1, $2, $3, $4)',
    [randomUUID(), username, code, type],
  );
}
