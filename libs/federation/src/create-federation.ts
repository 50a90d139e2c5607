import { ConfigurationError } from '@lintel/config';
import type { Router } from 'express';
import { createProviderTests, type ProviderAdministration, type TestsByName } from './administration/provider-tests.ts';
import type { FederationPorts } from './federation-ports.ts';
import type { FederationConfig } from './federation-settings.ts';
import type { Directory } from './ldap/directory.ts';
import { createDirectoryCheck, createDirectorySource, type DirectoryCheck } from './ldap/directory-logins.ts';
import { listProviders } from './list-providers.ts';
import type { LoginPages } from './login-pages.ts';
import { createGrantBinding, type GrantBinding } from './logins/bind-grants.ts';
import { createLoginChecks, type LoginChecks } from './logins/check-logins.ts';
import { createFederatedLogins } from './logins/federated-logins.ts';
import { registerOpenIdLogout } from './openid/openid-logout.routes.ts';
import type { OpenIdProvider } from './openid/openid-provider.ts';
import { createOpenIdSource } from './openid/openid-source.ts';
import { isOpenId } from './provider-settings.ts';
import type { LoginProvider } from './providers/login-provider.ts';
import { registerProviderLogin } from './providers/provider-login.routes.ts';
import { createSingleUse } from './providers/single-use.ts';
import { RESOURCE_SERVER } from './resource-server/external-session.ts';
import { createExternalTokens, type ExternalTokens } from './resource-server/external-tokens.ts';
import { createExternalVerifier } from './resource-server/external-verifier.ts';
import { createSamlProviders } from './saml/create-saml-providers.ts';
import { registerSamlRoutes } from './saml/saml.routes.ts';
import { createSamlSource } from './saml/saml-source.ts';
import { createFederatedUsers, type FederatedUsers } from './users/federated-users.ts';

/** What identity providers add to the service. */
export interface Federation {
  /** Undefined without `svc.resource-server.issuer`. */
  readonly external: ExternalTokens | undefined;
  /** Ends the session of a token of that issuer. */
  readonly endExternal: ((token: string) => Promise<void>) | undefined;
  /** The providers with a button on the login page. */
  readonly providers: readonly { readonly name: string; readonly title: string }[];
  /** Checks passwords in the directories; undefined without any. */
  readonly checkDirectories: DirectoryCheck | undefined;
  readonly binding: GrantBinding;
  readonly checks: LoginChecks;
  /** Whether the login of a session is valid; undefined without providers. */
  readonly isAlive: ((sessionId: string) => Promise<boolean>) | undefined;
  /** Adds the routes of logins at providers, and of their logouts. */
  register(router: Router, pages: LoginPages): void;
  /** The configured providers, and tests of them, for administrators. */
  readonly administration: ProviderAdministration;
  /** Removes records of logins that have ended. */
  purgeExpired(): Promise<void>;
}

/** A login that has ended before its tokens and browser sessions is kept as long as these: they are refused by it. */
const PURGE = `DELETE FROM auth.federated_login AS l WHERE l.expires_at < now() - interval '1 day'
  AND (l.expires_at < now() - $1::float8 * interval '1 millisecond'
    OR NOT EXISTS (SELECT FROM auth.federated_grant AS g WHERE g.login_id = l.id))`;
const PROVIDER_NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** @throws ConfigurationError naming contradictions, or if the login of the database may not create users */
export async function createFederation(config: FederationConfig, ports: FederationPorts): Promise<Federation> {
  const { database, cipher, publicUrl, loginLifeMs } = ports;
  assertProviders(config);
  const singleUse = createSingleUse(ports.keyValues);
  const openIdProviders = await createOpenIdProviders(config, ports);
  const samlProviders = await createSamlProviders(config.providers, { ...ports, singleUse });
  const loginProviders = inOrder(
    config.providers,
    new Map<string, LoginProvider>([...openIdProviders, ...samlProviders]),
  );
  const directories = await createDirectories(config);
  if (config.resourceServer.issuer !== undefined || loginProviders.size + directories.length > 0)
    await ports.assertMayCreateUsers();
  const users = createFederatedUsers(ports);
  const federatedLogins = createFederatedLogins(database, cipher);
  const sources = new Map([
    ...[...openIdProviders].map(([name, provider]) => [name, createOpenIdSource(provider)] as const),
    ...[...samlProviders].map(([name, provider]) => [name, createSamlSource(provider)] as const),
    ...directories.map((directory) => [directory.name, createDirectorySource(directory)] as const),
  ]);
  const checks = createLoginChecks({
    ...ports,
    logins: federatedLogins,
    users,
    sources,
    checkIntervalMs: config.checkIntervalMs,
  });
  const external = createExternal(config, ports, users);
  return {
    external,
    endExternal:
      external === undefined
        ? undefined
        : async (token) => {
            if (external.isOurs(token)) await external.endSession(token);
          },
    providers: [...loginProviders.values()].map(({ name, title }) => ({ name, title })),
    checkDirectories:
      directories.length === 0 ? undefined : createDirectoryCheck({ ...ports, directories, users, federatedLogins }),
    binding: createGrantBinding(federatedLogins),
    checks,
    isAlive: sources.size === 0 ? undefined : checks.isAlive,
    register(router, pages) {
      const deps = {
        ...ports,
        pages,
        loginProviders,
        openIdProviders,
        samlProviders,
        singleUse,
        users,
        federatedLogins,
        checks,
        cookieOptions: { cipher, isSecure: publicUrl.startsWith('https:'), now: () => ports.clock.now() },
      };
      registerProviderLogin(router, deps);
      registerOpenIdLogout(router, deps);
      registerSamlRoutes(router, deps);
    },
    administration: {
      providers: listProviders(config, publicUrl),
      tests: createProviderTests(
        testsOf(config, directories, () => ports.clock.now()),
        () => performance.now(),
      ),
    },
    async purgeExpired() {
      await database.query({ text: PURGE, values: [loginLifeMs] });
    },
  };
}

function testsOf(
  { providers, resourceServer }: FederationConfig,
  directories: readonly Directory[],
  now: () => number,
): TestsByName {
  const testProvider = async (settings: FederationConfig['providers'][string]) =>
    isOpenId(settings)
      ? (await import('./openid/test-openid.ts')).testOpenId(settings)
      : (await import('./saml/identity-provider/test-saml.ts')).testSaml(settings, now());
  return new Map([
    ...Object.entries(providers).map(([name, settings]) => [name, () => testProvider(settings)] as const),
    ...directories.map(
      (directory) =>
        [directory.name, async () => (await import('./ldap/test-directory.ts')).testDirectory(directory)] as const,
    ),
    ...testOfTokenIssuer(resourceServer),
  ]);
}

function testOfTokenIssuer({ issuer, jwksUrl }: FederationConfig['resourceServer']) {
  if (issuer === undefined) return [];
  const test = async () => (await import('./administration/test-token-issuer.ts')).testTokenIssuer({ issuer, jwksUrl });
  return [[RESOURCE_SERVER, test] as const];
}

/** Libraries of protocols are loaded by a process that needs them only. */
async function createOpenIdProviders(
  config: FederationConfig,
  { publicUrl, clock, logger }: FederationPorts,
): Promise<ReadonlyMap<string, OpenIdProvider>> {
  const configured = Object.entries(config.providers).flatMap(([name, settings]) =>
    isOpenId(settings) ? [{ name, settings }] : [],
  );
  if (configured.length === 0) return new Map();
  const { createOpenIdProvider } = await import('./openid/openid-provider.ts');
  return new Map(
    configured.map(({ name, settings }) => [name, createOpenIdProvider(name, settings, { publicUrl, clock, logger })]),
  );
}

async function createDirectories(config: FederationConfig): Promise<readonly Directory[]> {
  const configured = Object.entries(config.directories);
  if (configured.length === 0) return [];
  const { createDirectory } = await import('./ldap/directory.ts');
  return configured.map(([name, settings]) => createDirectory(name, settings, config.directoryTimeoutMs));
}

/** In the order of the configuration, which is that of the buttons. */
const inOrder = <T>(order: Readonly<Record<string, unknown>>, values: ReadonlyMap<string, T>): ReadonlyMap<string, T> =>
  new Map(
    [...values].toSorted(([left], [right]) => Object.keys(order).indexOf(left) - Object.keys(order).indexOf(right)),
  );

function createExternal(
  config: FederationConfig,
  ports: FederationPorts,
  users: FederatedUsers,
): ExternalTokens | undefined {
  const { issuer, ...others } = config.resourceServer;
  if (issuer === undefined) return undefined;
  const resourceServer = { ...others, issuer };
  return createExternalTokens({
    ...ports,
    users,
    verifier: createExternalVerifier(resourceServer, ports),
    config: resourceServer,
  });
}

function assertProviders({ providers, directories, passwordLogin }: FederationConfig): void {
  const names = [...Object.keys(providers), ...Object.keys(directories)];
  const problems = names
    .filter((name) => !PROVIDER_NAME.test(name))
    .map((name) => `svc.auth: ${name}: expected a name of small letters, digits and hyphens, which is part of URLs`);
  for (const name of new Set(names)) {
    if (name === RESOURCE_SERVER || names.indexOf(name) !== names.lastIndexOf(name))
      problems.push(`svc.auth: ${name} is the name of another provider or directory, or reserved`);
  }
  if (!passwordLogin && Object.keys(providers).length === 0)
    problems.push(
      'svc.auth.password-login: without passwords users need an identity provider (svc.auth.provider.<name>.issuer)',
    );
  if (problems.length > 0) throw new ConfigurationError(problems);
}
