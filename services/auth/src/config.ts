import {
  availableLocalesSetting,
  backendSettings,
  booleanValue,
  datasourceSettings,
  defineSettings,
  durationMsValue,
  type InsecureSetting,
  insecureSecret,
  integerValue,
  listenerSettings,
  listValue,
  platformSettings,
  restPathSettings,
  type ServiceSafety,
  type SettingsOf,
  safeSettings,
  setting,
  settingMap,
  textValue,
} from '@lintel/config';
import { federationSettings, insecureDirectories, insecureIssuers } from '@lintel/federation';
import { loginSettings } from '@lintel/login';
import { insecureMail } from '@lintel/mail';
import { scimSettings } from '@lintel/scim';
import { CLIENT_MEMBERS, clientSchema } from './clients/client-settings.ts';
import { registrationSettings } from './registration/registration-settings.ts';
import { securityEventSettings } from './security-events/security-event-settings.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MIN_SECRET_LENGTH = 16;

/** The path of the explorer, for its client. */
const explorerPathSettings = defineSettings({
  basePath: restPathSettings.basePath,
  docsPath: restPathSettings.docsPath,
});

const shape = defineSettings({
  platform: platformSettings,
  paths: explorerPathSettings,
  ...listenerSettings('auth', { public: 8081, internal: 9081, management: 9181 }),
  database: {
    ...datasourceSettings('of a login in the role `lintel_sec_reader` that owns the schema `auth`'),
    maxConnections: setting(
      'svc.auth.datasource-pool-size',
      integerValue({ min: 1, max: 500 }).default(5),
      'Greatest number of database connections of the auth service',
    ),
    /** Statements of auth read and write a few rows; a longer one waits for a lock. */
    statementTimeoutMs: 10_000,
  },
  availableLocales: availableLocalesSetting,
  accessTokenTtlMs: setting(
    'svc.authserver.access-token-time-to-live',
    durationMsValue().default(12 * HOUR_MS),
    'Life of access tokens, at least one second; a client may have its own',
  ),
  refreshTokenTtlMs: setting(
    'svc.authserver.refresh-token-time-to-live',
    durationMsValue().default(365 * DAY_MS),
    'Life of refresh tokens; a client may have its own',
  ),
  /** Life of authorization codes, which clients redeem at once; a client may have its own. */
  authorizationCodeTtlMs: 300_000,
  singleSignOn: {
    isEnabled: setting(
      'svc.authserver.single-sign-on',
      booleanValue().default(true),
      'Whether a login in a browser is valid for all clients, except clients with a loopback redirect',
    ),
    lifeMs: setting(
      'svc.authserver.single-sign-on-time-to-live',
      durationMsValue().default(12 * HOUR_MS),
      'How long a login in a browser is valid after the password was entered',
    ),
  },
  consentLifeMs: setting(
    'svc.authserver.consent-time-to-live',
    durationMsValue().default(365 * DAY_MS),
    'How long the consent of a user to a client is remembered; 0 asks every time',
  ),
  logoutNetworks: setting(
    'svc.authserver.backchannel-logout-allowed-networks',
    listValue().default([]),
    'Private addresses and networks (`10.1.0.0/16`) that logout tokens may be sent to',
  ),
  reuseRefreshTokens: setting(
    'svc.authserver.reuse-refresh-tokens',
    booleanValue().default(true),
    'Whether a refresh returns the same refresh token; otherwise a new one, and reuse of an old one ends the login',
  ),
  refreshTokenReuseIntervalMs: setting(
    'svc.authserver.refresh-token-reuse-interval',
    durationMsValue().default(10_000),
    'How long a used refresh token, or code with PKCE, gets the same tokens again; 0 ends the login at once',
  ),
  bruteForce: {
    enabled: setting(
      'svc.security.bruteforceprotection.enabled',
      booleanValue().default(true),
      'Whether wrong passwords and client secrets are counted and limited',
    ),
    maxAttempts: setting(
      'svc.security.bruteforceprotection.max-login-attempts-number',
      integerValue({ min: 1, max: 1_000 }).default(5),
      'Wrong passwords of one user from one address after which that login is blocked',
    ),
    blockMs: setting(
      'svc.security.bruteforceprotection.block-interval',
      durationMsValue().default(60_000),
      'How long such a login is blocked, and after which its wrong passwords are forgotten',
    ),
    /** Wrong passwords and client secrets from one address (IPv6: /64 network) after which only users and clients that were authenticated there before go on: the users of an office have one address. */
    maxPerAddress: 100,
    /** Wrong passwords of one user from all addresses after which an address that the user has not logged in from may try once per block interval. */
    maxPerUser: 50,
    /** Wrong secrets of one client from all addresses after which an address that the client has not used may try once per block interval. */
    maxPerClient: 100,
    /** Time in which these failures are counted. */
    intervalMs: 600_000,
  },
  /** Logins of one user at the same time, more than a person has devices; a further one ends the oldest. */
  maxSessionsPerUser: 100,
  ticketLifeMs: setting(
    'svc.authserver.ticket-time-to-live',
    durationMsValue()
      .refine((ms) => ms >= 1_000 && ms <= 300_000, 'expected 1s to 5m')
      .describe('a duration from 1s to 5m')
      .default(60_000),
    'How long a one-time ticket can be used',
  ),
  loginHistoryMs: setting(
    'svc.authserver.login-history',
    durationMsValue().default(90 * DAY_MS),
    'How long attempts to log in are kept; `0s` stores none',
  ),
  securityEvents: securityEventSettings,
  /** Tokens of one client for itself (`client_credentials`) at the same time; a further one ends the oldest. */
  maxTokensPerClient: 10_000,
  registration: registrationSettings,
  apiKeys: {
    maxLifeMs: setting(
      'svc.auth.api-keys.max-time-to-live',
      durationMsValue().default(365 * DAY_MS),
      'Longest life of an API key, which a key without an end has',
    ),
    maxPerUser: setting(
      'svc.auth.api-keys.max-per-user',
      integerValue({ min: 0, max: 1_000 }).default(20),
      'API keys of one user at the same time; 0 allows no new one',
    ),
  },
  maxClients: setting(
    'svc.authserver.max-clients',
    integerValue({ min: 0, max: 10_000 }).default(1_000),
    'Greatest number of clients in the database; 0 allows no new one',
  ),
  keyEncryptionSecret: setting(
    'svc.authserver.key-encryption-secret',
    textValue().refine((text) => text.length >= MIN_SECRET_LENGTH, `expected at least ${MIN_SECRET_LENGTH} characters`),
    'Encrypts the private signing keys in the database; the same for all replicas, at least 16 characters',
    { secret: true },
  ),
  keyRotationIntervalMs: setting(
    'svc.authserver.key-rotation-interval',
    durationMsValue().default(90 * DAY_MS),
    'Age at which the key that signs tokens gets a successor',
  ),
  clients: settingMap('svc.authserver.client', clientSchema, 'Clients', {
    secretMembers: ['client-secret'],
    memberDescriptions: CLIENT_MEMBERS,
  }),
  ...loginSettings,
  scim: scimSettings,
  ...federationSettings,
});

export type AuthConfig = SettingsOf<typeof shape>;

const NO_BRUTE_FORCE_PROTECTION: InsecureSetting = {
  insecurity: 'no-bruteforce-protection',
  problem:
    'svc.security.bruteforceprotection.enabled: with false the number of attempts with wrong passwords and client secrets has no limit; set it to true',
};

/** Settings that are insecure where other machines can reach the service. */
export const safetyOf = ({
  gatewayHost,
  host,
  internalHost,
  bruteForce,
  keyEncryptionSecret,
  clients,
  resourceServer,
  providers,
  directories,
  mail,
  scim,
}: AuthConfig): ServiceSafety => ({
  hosts: [gatewayHost, host, internalHost],
  insecure: [
    ...insecureDirectories(directories),
    ...insecureIssuers({ resourceServer, providers }),
    ...insecureMail(mail),
    ...(bruteForce.enabled ? [] : [NO_BRUTE_FORCE_PROTECTION]),
    ...insecureSecret('svc.authserver.key-encryption-secret', keyEncryptionSecret, { encrypts: 'signing keys' }),
    ...insecureSecret('svc.scim.token', scim.token),
    ...insecureSecret('svc.scim.former-token', scim.formerToken),
    ...Object.entries(clients).flatMap(([name, client]) =>
      insecureSecret(`svc.authserver.client.${name}.client-secret`, client['client-secret'], {
        short: 'short-client-secrets',
      }),
    ),
  ],
});

/** The settings of the auth service. */
export const settings = safeSettings(shape, safetyOf);

/** With those of the backends that the service needs as a process of its own. */
export const processSettings = defineSettings({ ...settings, backends: backendSettings });
