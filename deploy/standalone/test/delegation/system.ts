import { fileURLToPath } from 'node:url';
import { loadResources } from '@lintel/application';
import { findResource, INSECURITIES, readResource } from '@lintel/config';
import { settings as dataSettings } from '@lintel/data';
import { freeLoopbackPort } from '@lintel/embedded-database';
import { createLogger } from '@lintel/telemetry';
import { cloneTestDatabase, eventually } from '@lintel/testkit';
import { startMailServer } from '@lintel/testkit/mail-server';
import { EXTERNAL_AUDIENCE, startExternalIssuer } from '../../../../libs/federation/test/external-issuer.ts';
import { schemaOf } from '../../../../services/data/test/schema-of.ts';
import { openShared } from '../../src/services/open-shared.ts';
import { createHost } from '../../src/services/standalone-host.ts';
import { startAuth } from '../../src/services/start-auth.ts';
import { startData } from '../../src/services/start-data.ts';
import { startGateway } from '../../src/services/start-gateway.ts';
import { standaloneDefaults } from '../../src/standalone-properties.ts';
import application from './application.ts';

export const SCIM_TOKEN = 'a-token-of-the-identity-provider';
export const REGISTRATION_TOKEN = 'the-initial-access-token-of-registration';
/** Where codes of the platform's own client go. */
export const CALLBACK = 'https://app.example/callback';
/** The roles that SCIM and the identity provider give, by group. */
export const GROUP_ROLES = { readers: 'reads-t_Document', chiefs: 'chief', admins: 'administers' } as const;
const TABLE = Object.entries(GROUP_ROLES).map((pair) => pair.join('='));
const CLIENT = 'svc.authserver.client.desk';

export interface SystemResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every form
  json(): any;
}

export type System = Awaited<ReturnType<typeof startSystem>>;

interface Layer {
  readonly name: string;
  readonly route?: { readonly path: string | string[]; readonly methods: Readonly<Record<string, boolean>> };
  readonly handle: { readonly stack?: readonly Layer[] };
}

/** `POST /oauth2/token` and so on: what a router has, and the routers in it. */
const routesIn = (layers: readonly Layer[]): readonly string[] =>
  layers.flatMap(({ route, handle }) =>
    route === undefined
      ? routesIn(handle.stack ?? [])
      : [route.path]
          .flat()
          .flatMap((path) => Object.keys(route.methods).map((method) => `${method.toUpperCase()} ${path}`)),
  );

/**
 * Gateway, auth and data in this process, as `npm start` starts them, with a mail server and an identity provider.
 *
 * @param links whether the provider gets users that exist, by SCIM and by their first login
 */
export async function startSystem({ delegation = 'bounded', links = false } = {}) {
  const database = await cloneTestDatabase(schemaOf(application.model), 'delegation');
  const mail = await startMailServer();
  const issuer = await startExternalIssuer();
  const port = String(await freeLoopbackPort());
  const url = `http://127.0.0.1:${port}`;
  const host = await createHost({
    databaseUrl: database.url,
    logger: createLogger({ service: 'test', level: 'error', destination: { write: () => {} } }),
    defaults: standaloneDefaults({ port, publicUrl: 'http://lintel.example', ownsDatabase: false }),
    properties: {
      ...mail.properties,
      'svc.application': fileURLToPath(new URL('application.ts', import.meta.url)),
      'svc.security.delegation': delegation,
      'svc.security.allow-insecure': INSECURITIES.join(','),
      'svc.internal.secret': 'internal secret of the test',
      'svc.authserver.key-encryption-secret': 'key encryption secret of the test',
      'svc.security.bruteforceprotection.enabled': 'false',
      'svc.gateway.files-url': 'http://127.0.0.1:9',
      'svc.gateway.reports-url': 'http://127.0.0.1:9',
      'svc.files.internal-url': 'http://127.0.0.1:9',
      'svc.datasource.url': database.url,
      [`${CLIENT}.client-id`]: 'desk',
      [`${CLIENT}.client-secret`]: 'secret',
      [`${CLIENT}.grant-types`]: 'password,authorization_code',
      [`${CLIENT}.redirect-uris`]: CALLBACK,
      'svc.auth.registration.enabled': 'true',
      'svc.auth.registration.initial-access-token': REGISTRATION_TOKEN,
      'svc.auth.sign-up.enabled': 'true',
      'svc.auth.sign-up.resource-roles': 'rest-minimal',
      // Links are limited for an address.
      'svc.gateway.trusted-proxies': '127.0.0.1',
      'svc.scim.link-existing-users': String(links),
      'svc.scim.token': SCIM_TOKEN,
      'svc.scim.resource-roles': [...TABLE, '*=rest-minimal'].join(','),
      'svc.resource-server.issuer': issuer.issuer,
      'svc.resource-server.audience': EXTERNAL_AUDIENCE,
      'svc.resource-server.first-login': links ? 'link,create' : 'create',
      'svc.resource-server.resource-roles': [...TABLE, '*=rest-minimal'].join(','),
    },
  });
  const { application: bare, config } = await host.configurationOf(dataSettings);
  const loaded = await loadResources(bare, config, { readResource, findResource });
  const { auth } = await startAuth(host);
  const context = await host.contextOf('data', dataSettings);
  const shared = await openShared(host, loaded, context.config, false);
  const data = await startData(host, shared, context, {
    filesInternalUrl: 'http://127.0.0.1:9',
    reportsUrl: () => 'http://127.0.0.1:9',
  });
  await startGateway(host, shared, { auth: auth.app, data: data.app });
  const { router } = auth.app as unknown as { readonly router: { readonly stack: readonly Layer[] } };
  return {
    url,
    links,
    mail,
    issuer,
    query: (text: string, values: readonly unknown[] = []) =>
      shared.database.query<Record<string, unknown>>({ text, values }),
    /** Those that the gateway forwards to auth. */
    authRoutes: routesIn(router.stack),
    /** Waits until the service has the roles of the database. */
    rolesAreRead: () =>
      eventually(async () => {
        const [row] = await shared.database.query<{ version: string }>({
          text: 'SELECT version FROM sec.role_snapshot',
          values: [],
        });
        if (shared.currentRoles().version !== row?.version) throw new Error('The roles are not read yet');
      }),
    async send(
      method: string,
      path: string,
      {
        token,
        body,
        headers = {},
      }: { token?: string; body?: unknown; headers?: Readonly<Record<string, string>> } = {},
    ): Promise<SystemResponse> {
      const isForm = body instanceof URLSearchParams;
      const response = await fetch(`${url}${path}`, {
        method,
        redirect: 'manual',
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
    },
    async close() {
      await host.close();
      await issuer.close();
      await mail.close();
      await database.drop();
    },
  };
}
