import { ConfigurationError } from '@lintel/config';
import { assertMayExecute, FOLLOW_ROLES } from '../accounts/assert-may-execute.ts';
import type { DirectoryCheck } from '../accounts/login-check.ts';
import type { LoginHistory } from '../accounts/login-history.ts';
import type { AuthConfig } from '../config.ts';
import type { TokenSigner } from '../keys/sign-token.ts';
import { createTextCipher, type TextCipher } from '../keys/text-cipher.ts';
import type { AuthPorts } from '../ports.ts';
import type { LoginStore } from '../sessions/login.ts';
import type { SessionService } from '../sessions/session-service.ts';
import { listProviders } from './administration/list-providers.ts';
import { createProviderTests, type ProviderAdministration, type TestsByName } from './administration/provider-tests.ts';
import type { Directory } from './ldap/directory.ts';
import { createDirectoryCheck, createDirectorySource } from './ldap/directory-logins.ts';
import { createGrantBinding, type GrantBinding } from './logins/bind-grants.ts';
import { createLoginChecks, type LoginChecks } from './logins/check-logins.ts';
import { createFederatedLogins, type FederatedLogins } from './logins/federated-logins.ts';
import type { OpenIdProvider } from './openid/openid-provider.ts';
import { createOpenIdSource } from './openid/openid-source.ts';
import { isOpenId } from './provider-settings.ts';
import type { LoginProvider } from './providers/login-provider.ts';
import { createSingleUse, type SingleUse } from './providers/single-use.ts';
import { RESOURCE_SERVER } from './resource-server/external-session.ts';
import { createExternalTokens, type ExternalTokens } from './resource-server/external-tokens.ts';
import { createExternalVerifier } from './resource-server/external-verifier.ts';
import { createSamlProviders } from './saml/create-saml-providers.ts';
import type { SamlProvider } from './saml/saml-provider.ts';
import { createSamlSource } from './saml/saml-source.ts';
import { createFederatedUsers, type FederatedUsers, type FederatedUsersDeps } from './users/federated-users.ts';

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
  /** What the routes of providers need. */
  readonly routes: ProviderPorts;
  /** The configured providers, and tests of them, for administrators. */
  readonly administration: ProviderAdministration;
  /** Removes records of logins that have ended. */
  purgeExpired(): Promise<void>;
}

/** Ports of the routes of providers. */
export interface ProviderPorts {
  readonly loginProviders: ReadonlyMap<string, LoginProvider>;
  readonly openIdProviders: ReadonlyMap<string, OpenIdProvider>;
  readonly samlProviders: ReadonlyMap<string, SamlProvider>;
  readonly users: FederatedUsers;
  readonly federatedLogins: FederatedLogins;
  readonly checks: LoginChecks;
  readonly singleUse: SingleUse;
  readonly cookieOptions: { readonly cipher: TextCipher; readonly isSecure: boolean; readonly now: () => number };
  readonly loginLifeMs: number;
}

export interface FederationDeps extends Omit<FederatedUsersDeps, 'sessions'> {
  readonly ports: AuthPorts;
  readonly config: AuthConfig;
  readonly logins: LoginStore;
  readonly sessions: SessionService;
  readonly signer: TokenSigner;
  readonly history: Pick<LoginHistory, 'note'>;
  /** Life of a refresh token with the access token that it leads to, of the client with the longest. */
  readonly longestTokenMs: number;
  readonly endBrowserSession: (uid: string) => Promise<void>;
}

const DAY_MS = 24 * 3_600_000;
/** A login that has ended before its tokens and browser sessions is kept as long as these: they are refused by it. */
const PURGE = `DELETE FROM auth.federated_login AS l WHERE l.expires_at < now() - interval '1 day'
  AND (l.expires_at < now() - $1::float8 * interval '1 millisecond'
    OR NOT EXISTS (SELECT FROM auth.federated_grant AS g WHERE g.login_id = l.id))`;
const PROVIDER_NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** @throws ConfigurationError naming contradictions, or if the login of the database may not create users */
export async function createFederation(deps: FederationDeps): Promise<Federation> {
  const { config, ports, database } = deps;
  const { issuer: publicUrl } = config.platform;
  assertProviders(config);
  const cipher = createTextCipher(config.keyEncryptionSecret, 'logins at identity providers');
  const singleUse = createSingleUse(ports.keyValues);
  const openIdProviders = await createOpenIdProviders(deps);
  const samlProviders = await createSamlProviders(config.providers, { ...ports, publicUrl, singleUse, cipher });
  const loginProviders = inOrder(
    config.providers,
    new Map<string, LoginProvider>([...openIdProviders, ...samlProviders]),
  );
  const directories = await createDirectories(config);
  if (config.resourceServer.issuer !== undefined || loginProviders.size + directories.length > 0)
    await assertMayExecute(
      deps.database,
      FOLLOW_ROLES,
      'svc.datasource.url: identity providers are configured, so the login of auth must be in the role lintel_federation, which may create users and assign roles',
    );
  const users = createFederatedUsers(deps);
  const federatedLogins = createFederatedLogins(database, cipher);
  const sources = new Map([
    ...[...openIdProviders].map(([name, provider]) => [name, createOpenIdSource(provider)] as const),
    ...[...samlProviders].map(([name, provider]) => [name, createSamlSource(provider)] as const),
    ...directories.map((directory) => [directory.name, createDirectorySource(directory)] as const),
  ]);
  // A code of the last moment of single sign-on leads to tokens, too.
  const loginLifeMs = deps.longestTokenMs + config.singleSignOn.lifeMs + DAY_MS;
  const checks = createLoginChecks({ ...deps, logins: federatedLogins, users, sources });
  const external = createExternal(deps, users);
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
      directories.length === 0
        ? undefined
        : createDirectoryCheck({ ...deps, directories, users, federatedLogins, loginLifeMs }),
    binding: createGrantBinding(federatedLogins),
    checks,
    isAlive: sources.size === 0 ? undefined : checks.isAlive,
    routes: {
      loginProviders,
      openIdProviders,
      samlProviders,
      singleUse,
      users,
      federatedLogins,
      checks,
      cookieOptions: { cipher, isSecure: publicUrl.startsWith('https:'), now: () => ports.clock.now() },
      loginLifeMs,
    },
    administration: {
      providers: listProviders(config),
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
  { providers, resourceServer }: AuthConfig,
  directories: readonly Directory[],
  now: () => number,
): TestsByName {
  const testProvider = async (settings: AuthConfig['providers'][string]) =>
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

function testOfTokenIssuer({ issuer, jwksUrl }: AuthConfig['resourceServer']) {
  if (issuer === undefined) return [];
  const test = async () => (await import('./administration/test-token-issuer.ts')).testTokenIssuer({ issuer, jwksUrl });
  return [[RESOURCE_SERVER, test] as const];
}

/** Libraries of protocols are loaded by a process that needs them only. */
async function createOpenIdProviders(deps: FederationDeps): Promise<ReadonlyMap<string, OpenIdProvider>> {
  const { config, ports, logger } = deps;
  const { issuer: publicUrl } = config.platform;
  const configured = Object.entries(config.providers).flatMap(([name, settings]) =>
    isOpenId(settings) ? [{ name, settings }] : [],
  );
  if (configured.length === 0) return new Map();
  const { createOpenIdProvider } = await import('./openid/openid-provider.ts');
  return new Map(
    configured.map(({ name, settings }) => [
      name,
      createOpenIdProvider(name, settings, { publicUrl, clock: ports.clock, logger }),
    ]),
  );
}

async function createDirectories(config: AuthConfig): Promise<readonly Directory[]> {
  const configured = Object.entries(config.directories);
  if (configured.length === 0) return [];
  const { createDirectory } = await import('./ldap/directory.ts');
  return configured.map(([name, settings]) => createDirectory(name, settings));
}

/** In the order of the configuration, which is that of the buttons. */
const inOrder = <T>(order: Readonly<Record<string, unknown>>, values: ReadonlyMap<string, T>): ReadonlyMap<string, T> =>
  new Map(
    [...values].toSorted(([left], [right]) => Object.keys(order).indexOf(left) - Object.keys(order).indexOf(right)),
  );

function createExternal(deps: FederationDeps, users: FederatedUsers): ExternalTokens | undefined {
  const { config, ports } = deps;
  const { issuer, ...others } = config.resourceServer;
  if (issuer === undefined) return undefined;
  const resourceServer = { ...others, issuer };
  return createExternalTokens({
    ...deps,
    users,
    verifier: createExternalVerifier(resourceServer, { clock: ports.clock, logger: deps.logger }),
    recordSeen: (sessionId, nowMs) => ports.sessions.recordSeen(sessionId, nowMs),
    clock: ports.clock,
    config: resourceServer,
    apiScope: config.platform.apiScope,
    secret: config.keyEncryptionSecret,
  });
}

function assertProviders({ providers, directories, passwordLogin }: AuthConfig): void {
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
