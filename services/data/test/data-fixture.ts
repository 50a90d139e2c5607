import { randomBytes } from 'node:crypto';
import type { Application } from '@lintel/application';
import { createMemoryStore, createProcessDirectory } from '@lintel/cache';
import { loadSettings } from '@lintel/config';
import type { Session } from '@lintel/contracts';
import { createIdSource } from '@lintel/entities';
import { PlatformError } from '@lintel/errors';
import { createInProcessBus } from '@lintel/events';
import { FORWARDING_PROOF_HEADER, forwardingProofOf, listen } from '@lintel/http';
import { createDatabase } from '@lintel/persistence';
import { applicationRoles } from '@lintel/security';
import { cloneTestDatabase, propertiesOf, type Settled, type TestDatabase, withConstants } from '@lintel/testkit';
import { type Clock, monotonicClock } from '@lintel/timing';
import { createDatabaseLimits } from '../src/database-limits.ts';
import { createDataService, settings } from '../src/index.ts';
import type { DataPorts } from '../src/ports.ts';
import { countedDatabase } from './counted-database.ts';
import { NO_SECOND_FACTORS } from './no-second-factors.ts';
import { schemaOf } from './schema-of.ts';

/** A caller by user name: the name is the token, unless there is another one. */
export interface TestUser {
  readonly username?: string;
  readonly clientId?: string;
  readonly resourceRoles: readonly string[];
  readonly rowLevelRoles?: readonly string[];
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly kind?: Session['kind'];
  readonly locale?: string;
  readonly userId?: string;
  /** Columns that the application added to the users. */
  readonly userColumns?: Record<string, string | null>;
  readonly acr?: string;
  readonly authTime?: number;
  /** Scopes of the token. */
  readonly scope?: string;
  /** The user that sees what this one sees. */
  readonly seenBy?: string;
}

export interface TestResponse {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every form
  json(): any;
}

/** The time of every write of a test. */
export const NOW = '2026-11-21T10:20:30.400';

type OtherPorts = Pick<
  DataPorts,
  'replicas' | 'metrics' | 'storedFiles' | 'ownWrites' | 'mailbox' | 'runsJobsOnDemand'
> &
  Partial<Pick<DataPorts, 'events' | 'authAdministration' | 'userSessions' | 'secondFactors' | 'currentRoles'>>;

/** Texts and bytes are sent as they are, other values as JSON. */
const bodyOf = (body: unknown): string | Uint8Array<ArrayBuffer> => {
  if (body instanceof Uint8Array) return new Uint8Array(body);
  return typeof body === 'string' ? body : JSON.stringify(body);
};

/** Starts the data service with its own database; the token of a request is the name of a user. */
export async function startData(
  application: Application,
  users: Readonly<Record<string, TestUser>>,
  settled: Settled = {},
  clock?: Clock,
  more?: OtherPorts,
) {
  const testDatabase = await cloneTestDatabase(schemaOf(application.model), 'data');
  const data = await startDataOn(testDatabase, application, users, settled, clock, more);
  return {
    ...data,
    async close() {
      await data.close();
      await testDatabase.drop();
    },
  };
}

/** Starts the data service with an existing database, which is not changed. */
export async function startDataOn(
  testDatabase: Pick<TestDatabase, 'url' | 'query'>,
  application: Application,
  users: Readonly<Record<string, TestUser>>,
  settled: Settled = {},
  clock: Clock = { now: () => Date.parse(`${NOW}Z`) },
  more: OtherPorts = {},
) {
  const errors: unknown[] = [];
  const warnings: unknown[] = [];
  const infos: object[] = [];
  const logger = {
    debug: () => {},
    info: (fields: object) => void infos.push(fields),
    warn: (fields: object) => void warnings.push(fields),
    error: (fields: object) => errors.push(fields),
    child: () => logger,
  };
  const loaded = loadSettings(settings, {
    sources: [
      {
        label: 'test',
        kind: 'file',
        values: {
          'svc.internal.secret': 'x',
          'svc.datasource.url': testDatabase.url,
          // Longer than a machine may stand still.
          'svc.datasource.statement-timeout': '1m',
          ...propertiesOf(settled),
        },
      },
    ],
    readSecretFile: () => '',
    mapKeys: { 'svc.rest.entity-max-fetch-size': [...application.model.entities.keys()] },
  });
  const config = withConstants(loaded, { 'shares.maxWaitMs': 60_000, ...settled });
  const limits = createDatabaseLimits(config);
  const { database, texts, others } = countedDatabase(
    createDatabase({
      url: testDatabase.url,
      maxConnections: 5,
      statementTimeoutMs: config.database.statementTimeoutMs,
      ...limits,
      applicationName: 'data-test',
    }),
  );
  const roles = applicationRoles(application);
  const locales = new Map<string, string>();
  const sessionAttributes = new Map<string, ReadonlyMap<string, string | number | boolean>>();
  const service = createDataService(
    {
      application,
      database,
      resultMemory: limits.resultMemory,
      currentRoles: () => roles,
      verifier: {
        verify: async (token, audience) => {
          if (users[token] === undefined) throw new PlatformError('AUTH_INVALID_TOKEN');
          return {
            iss: 'i',
            sub: users[token]?.username ?? token,
            aud: audience,
            exp: 9e9,
            iat: 0,
            jti: 'j',
            client_id: 'c',
            sid: token,
            scope: users[token]?.scope ?? 'rest-api',
            acr: users[token]?.acr,
            auth_time: users[token]?.authTime,
          };
        },
      },
      loadSession: async (id) => {
        const user = users[id];
        if (user === undefined) return undefined;
        return {
          id,
          username: user.username ?? id,
          userId: user.userId ?? null,
          clientId: user.clientId ?? 'c',
          kind: user.kind ?? 'user',
          resourceRoles: [...user.resourceRoles],
          rowLevelRoles: [...(user.rowLevelRoles ?? [])],
          locale: locales.get(id) ?? user.locale ?? null,
          attributes: user.attributes ?? {},
          seenBy: user.seenBy,
          ...(user.userColumns === undefined ? {} : { userColumns: user.userColumns }),
          sessionAttributes: Object.fromEntries(sessionAttributes.get(id) ?? []),
          createdAt: '2026-01-01T00:00:00Z',
        };
      },
      sessionLocales: {
        async change(id, locale) {
          const user = users[id];
          if (user === undefined || user.kind === 'anonymous') return false;
          locales.set(id, locale);
          return true;
        },
        completeLogin: async () => false,
        async changeAttributes(id, changes) {
          const user = users[id];
          if (user === undefined || user.kind === 'anonymous') return false;
          const values = new Map(sessionAttributes.get(id));
          for (const [name, value] of Object.entries(changes)) {
            if (value === null) values.delete(name);
            else values.set(name, value);
          }
          sessionAttributes.set(id, values);
          return true;
        },
      },
      userSessions: { list: async () => [], end: async () => 0, history: async () => [] },
      secondFactors: NO_SECOND_FACTORS,
      processes: createProcessDirectory(createMemoryStore({ clock: monotonicClock })),
      events: createInProcessBus({ logger }).administration,
      authAdministration: { call: async () => ({}) },
      tickets: { issue: async ({ url }) => ({ ticket: `ticket-of-${url.length}`, expiresIn: 60 }) },
      clock,
      // Nothing expires by time: only events invalidate the caches.
      monotonicClock: { now: () => 0 },
      // Ids increase as in production, so that rows have the same order in every run.
      ids: createIdSource({ now: Date.now }, randomBytes),
      hashPassword: async (text) => `hashed ${text}`,
      logger,
      ...more,
    },
    config,
  );
  const server = await listen(service.app, { host: '127.0.0.1', port: 0 });
  return {
    url: server.url,
    database,
    databaseUrl: testDatabase.url,
    resultMemory: limits.resultMemory,
    /** Texts of the statements of the service's transactions. */
    statements: texts,
    /** Texts of its other statements. */
    otherStatements: others,
    service,
    errors,
    warnings,
    /** Lines of the level `info`; that of a request is written when its response has been sent. */
    infos,
    query: testDatabase.query,
    async send(
      user: string | undefined,
      method: string,
      path: string,
      body?: unknown,
      headers: Readonly<Record<string, string>> = {},
    ): Promise<TestResponse> {
      const response = await fetch(`${server.url}/rest${path}`, {
        method,
        headers: {
          ...(user === undefined ? {} : { authorization: `Bearer ${user}` }),
          [FORWARDING_PROOF_HEADER]: forwardingProofOf('x'),
          ...headers,
        },
        ...(body === undefined ? {} : { body: bodyOf(body) }),
      });
      const text = await response.text();
      return { status: response.status, text, headers: response.headers, json: () => JSON.parse(text) };
    },
    async close() {
      await server.close();
      await service.close();
      await database.close();
    },
  };
}

export type DataFixture = Awaited<ReturnType<typeof startData>>;
