import { createOwnWrites, type OwnWrites } from '@lintel/cache';
import { createProofCheck, PROOF_MEMORY_SECONDS, type ProofCheck } from '@lintel/http';
import {
  type AccountDirectory,
  createFormReceiver,
  createLogin,
  type DirectoryCheck,
  type FormReceiver,
  type Login,
  type RequiredAcr,
} from '@lintel/login';
import { createSecurityLog, type SecurityLog } from '@lintel/telemetry';
import { assertMayExecute, FOLLOW_ROLES } from '../accounts/assert-may-execute.ts';
import { createAccountDirectory } from '../accounts/create-account-directory.ts';
import type { ClientRegistry } from '../clients/client.ts';
import { createClientRegistry } from '../clients/create-client-registry.ts';
import { type ClientStore, createClientStore } from '../clients/stored/client-store.ts';
import { createStoredClients, type StoredClients } from '../clients/stored/stored-clients.ts';
import { withConsoleClient } from '../clients/with-console-client.ts';
import { withExplorerClient } from '../clients/with-explorer-client.ts';
import type { AuthConfig } from '../config.ts';
import { type Consents, createConsents } from '../consents/consents.ts';
import { createEventPublisher, type EventPublisher } from '../event-publisher.ts';
import { groupFacts } from '../group-facts.ts';
import { createTextCipher } from '../keys/text-cipher.ts';
import type { AuthPorts } from '../ports.ts';
import { createLogoutClient, type LogoutClient } from '../provider/logout-client.ts';
import { createPendingInteractions, type PendingInteractions } from '../provider/pending-interactions.ts';
import { createGrantStore, type GrantStore } from '../provider/storage/grant-store.ts';
import type { GoneToken } from '../provider/storage/token-events.ts';
import {
  createSecurityEventWriter,
  type SecurityEventWriter,
} from '../security-events/create-security-event-writer.ts';
import { createSecurityEventStore, type SecurityEventStore } from '../security-events/security-event-store.ts';
import { createLoginStore } from '../sessions/create-login-store.ts';
import type { LoginStore, NotifyClients } from '../sessions/login.ts';
import { createLoginSessions, type LoginSessions } from '../sessions/login-sessions.ts';
import { SessionService } from '../sessions/session-service.ts';
import { createTickets, type Tickets } from '../tickets/create-tickets.ts';
import { createLoginServices, type LoginServices } from './create-login-services.ts';

/** Parts that features share, and that exist before the service starts. */
export interface AuthServices extends LoginServices {
  readonly accounts: AccountDirectory;
  readonly clients: ClientRegistry;
  readonly clientStore: ClientStore;
  readonly storedClients: StoredClients;
  readonly consents: Consents;
  readonly events: EventPublisher;
  readonly ownWrites: OwnWrites;
  readonly forms: FormReceiver;
  readonly proofs: ProofCheck;
  /** Whether a proof of a key (RFC 9449) is used for the first time. */
  readonly isFirstUse: (key: string) => Promise<boolean>;
  readonly grants: GrantStore;
  readonly pending: PendingInteractions;
  /** Whether tokens in URLs and the password grant are refused (`svc.security.profile`). */
  readonly isHardened: boolean;
  readonly login: Login;
  readonly isPasswordChangeRequired: Login['passwords']['changes']['isRequired'];
  readonly requiredAcr: RequiredAcr;
  readonly logins: LoginStore;
  readonly loginSessions: LoginSessions;
  readonly sessions: SessionService;
  readonly tickets: Tickets;
  readonly logoutClient: LogoutClient;
  readonly security: SecurityLog;
  readonly securityEvents: SecurityEventStore;
  readonly securityEventWriter: SecurityEventWriter;
  /** Passwords of users that the database does not have are checked by this from now on. */
  useDirectories(check: DirectoryCheck | undefined): void;
  /** Clients of logins that end are notified by this from now on. */
  useNotifier(notifier: NotifyClients): void;
}

/**
 * Creates what needs no database and no signing key.
 *
 * @throws ConfigurationError naming every contradiction between the clients
 */
export function createServices(ports: AuthPorts, config: AuthConfig): AuthServices {
  const { database, keyValues, clock } = ports;
  const { issuer, securityProfile } = config.platform;
  const { clientStore, storedClients, clients } = createClients(ports, config);
  const accounts = createAccountDirectory(database);
  const logins = createLoginStore(database);
  const ownWrites = createOwnWrites({ ...ports, service: 'auth', store: keyValues, newId: () => ports.ids.next() });
  const events = createEventPublisher({ ...ports, ownWrites });
  const { security, securityEvents, securityEventWriter } = createSecurityEvents(ports, config, events);
  let checkDirectories: DirectoryCheck | undefined;
  const passwords = createLoginServices({
    ports,
    config,
    accounts,
    logins,
    clients,
    security,
    directories: async (username, password) => checkDirectories?.(username, password),
  });
  const pending = createPendingInteractions(config.keyEncryptionSecret);
  const grants = createGrantStore({
    pending,
    database,
    keyValues,
    events: { onTokensGone: (tokens) => publishRevoked(events, tokens) },
  });
  let notifyClients: NotifyClients = () => undefined;
  const sessions = new SessionService({
    ...ports,
    logins,
    accounts,
    clients,
    events,
    endGrants: grants.endGrants,
    notifyClients: (ended) => notifyClients(ended),
    endClientToken: (tokenId) => grants.endAccessToken('ClientCredentials', tokenId),
    maxSessionsPerUser: config.maxSessionsPerUser,
    maxTokensPerClient: config.maxTokensPerClient,
    security,
    availableLocales: config.availableLocales,
  });
  const login = createLogin(config, {
    ...ports,
    ...passwords,
    accounts,
    clients,
    security,
    cipherFor: (purpose) => createTextCipher(config.keyEncryptionSecret, purpose),
    assertMayCreateUsers: () =>
      assertMayExecute(
        database,
        FOLLOW_ROLES,
        'svc.auth.sign-up.enabled: the login of auth must be in the role lintel_federation, which may create users and assign roles',
      ),
  });
  const isFirstUse = async (key: string): Promise<boolean> =>
    (await keyValues.increment(`dpop:${key}`, PROOF_MEMORY_SECONDS * 1_000)) === 1;
  return {
    ...passwords,
    login,
    isPasswordChangeRequired: login.passwords.changes.isRequired,
    requiredAcr: login.secondFactors.requiredAcr,
    clients,
    clientStore,
    storedClients,
    accounts,
    logins,
    events,
    ownWrites,
    security,
    securityEvents,
    securityEventWriter,
    consents: createConsents(database, config.consentLifeMs),
    pending,
    grants,
    sessions,
    loginSessions: createLoginSessions({
      keyValues,
      accounts,
      ids: ports.ids,
      isEnabled: config.singleSignOn.isEnabled,
      lifeMs: config.singleSignOn.lifeMs,
      grantLifeMs: longestRefreshMs(clients, config),
    }),
    logoutClient: createLogoutClient(config.logoutNetworks),
    tickets: createTickets(keyValues, config.ticketLifeMs),
    forms: createFormReceiver(),
    isFirstUse,
    proofs: createProofCheck({ issuer, isFirstUse, clock }),
    isHardened: securityProfile === 'hardened',
    useDirectories(check) {
      checkDirectories = check;
    },
    useNotifier(notifier) {
      notifyClients = notifier;
    },
  };
}

/** The clients of the configuration, the ones of our own pages and those of the database. */
function createClients({ database, clock, logger }: AuthPorts, config: AuthConfig) {
  const clientStore = createClientStore(database);
  const storedClients = createStoredClients({ store: clientStore, defaults: config, clock, logger });
  const builtIn = withConsoleClient(withExplorerClient(config), config.platform);
  return { clientStore, storedClients, clients: createClientRegistry({ ...config, clients: builtIn }, storedClients) };
}

/** The log of events that concern security, which publishes and stores what it is given. */
function createSecurityEvents(ports: AuthPorts, config: AuthConfig, events: EventPublisher) {
  const { logger, clock } = ports;
  const securityEvents = createSecurityEventStore({ ...ports, ...config.securityEvents });
  const securityEventWriter = createSecurityEventWriter({ store: securityEvents, logger, clock });
  const security = createSecurityLog({
    logger,
    publish(record) {
      events.offer('auth.security.recorded.v1', record.name, { ...record });
      securityEventWriter.add(record);
    },
  });
  return { security, securityEvents, securityEventWriter };
}

/** Tokens of one session that end together are one event. */
const publishRevoked = (events: EventPublisher, tokens: readonly GoneToken[]) =>
  events.publishAll(
    'auth.token.revoked.v1',
    groupFacts(tokens).map(({ first, group }) => ({
      subject: first.sessionId,
      data: { ...first, ...(group.length > 1 && { tokenHashes: group.map(({ tokenHash }) => tokenHash) }) },
    })),
  );

const longestRefreshMs = (clients: ClientRegistry, { refreshTokenTtlMs }: AuthConfig): number =>
  Math.max(...clients.all().map((client) => client.refreshTokenTtlMs), refreshTokenTtlMs);
