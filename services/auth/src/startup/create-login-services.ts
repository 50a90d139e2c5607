import { availableParallelism } from 'node:os';
import { FairQueue } from '@lintel/http';
import {
  type AttemptGuard,
  countLogins,
  createAttemptGuard,
  createLoginCheck,
  createLoginHistory,
  createLoginRecords,
  createNameDigest,
  type DirectoryCheck,
  type LoginCheck,
  recordLogins,
  type SubjectKind,
} from '@lintel/login';
import type { SecurityLog } from '@lintel/telemetry';
import type { AccountDirectory } from '../accounts/account.ts';
import type { ClientRegistry } from '../clients/client.ts';
import type { AuthConfig } from '../config.ts';
import type { AuthPorts } from '../ports.ts';
import type { LoginStore } from '../sessions/login.ts';
import { verifyAssertion } from '../tokens/proofs/client-assertion.ts';
import type { ClientAuthentication } from '../tokens/token-request.ts';

/** Concurrent hashes: each uses one of the four threads that file system and name lookups need as well. */
const MAX_HASHING = 3;
/** About ten seconds of hashing on two processors. */
const MAX_HASHING_WAITING = 1_000;
const MAX_HASHING_WAIT_MS = 30_000;

interface LoginServicesDeps {
  readonly ports: AuthPorts;
  readonly config: AuthConfig;
  readonly accounts: AccountDirectory;
  readonly logins: LoginStore;
  readonly clients: ClientRegistry;
  readonly security: SecurityLog;
  /** Checks the password of a user that the database does not have. */
  readonly directories: DirectoryCheck;
}

export function createLoginServices({
  ports,
  config,
  accounts,
  logins,
  clients,
  security,
  ...deps
}: LoginServicesDeps) {
  const { keyValues, clock, logger, metrics } = ports;
  const { enabled: isEnabled, ...limits } = config.bruteForce;
  const nameDigest = createNameDigest(config.keyEncryptionSecret);
  const guards = { ...limits, isEnabled, keyValues, clock, nameDigest };
  const hashing = createHashingQueue(ports);
  const uncounted = createLoginCheck({
    accounts,
    logins,
    guard: createAttemptGuard({ ...guards, kind: 'user', maxPerName: limits.maxPerUser }),
    hashing,
    nameDigest,
    security,
    directories: deps.directories,
  });
  const history = createLoginHistory(ports.database, config.loginHistoryMs, logger);
  // Attempts that are refused without a check have no limit: they are not recorded.
  const recorded = config.passwordLogin ? recordLogins(uncounted, history) : refuseLogins;
  const authentication: ClientAuthentication = {
    clients,
    guard: createAttemptGuard({
      ...guards,
      kind: 'client',
      // One pair of client and address may use the limit of the whole address: a wrong deployment must not lock others
      // out.
      maxAttempts: limits.maxPerAddress,
      maxPerName: limits.maxPerClient,
    }),
    hashing,
    nameDigest,
    security,
    verifyAssertion: (assertion) =>
      verifyAssertion(assertion, { issuer: config.platform.issuer, clients, keyValues, clock }),
  };
  return {
    checkLogin: countLogins(recorded, metrics),
    history,
    records: createLoginRecords({ history, security }),
    hashing,
    authentication,
    /** A guard of guesses of second factors. */
    factorGuard: createAttemptGuard({ ...guards, kind: 'factor', maxPerName: limits.maxPerUser }),
    /** A guard of guesses that have no names: it limits the guesses of one address. */
    nameless: (kind: SubjectKind): AttemptGuard =>
      createAttemptGuard({ ...guards, kind, maxPerName: Number.MAX_SAFE_INTEGER }),
  };
}

/** Checks of passwords and client secrets, with the counters of wrong ones. */
export type LoginServices = ReturnType<typeof createLoginServices>;

function createHashingQueue({ metrics }: Pick<AuthPorts, 'metrics'>): FairQueue {
  const capacity = Math.min(MAX_HASHING, availableParallelism());
  return new FairQueue({
    name: 'password-hashing',
    capacity,
    heavyCapacity: capacity,
    isUndivided: true,
    maxWaitingPerCaller: MAX_HASHING_WAITING / 10,
    maxWaiting: MAX_HASHING_WAITING,
    makesRoom: true,
    maxWaitMs: MAX_HASHING_WAIT_MS,
    metrics,
  });
}

/** Without passwords each attempt fails as one with a wrong password. */
const refuseLogins: LoginCheck = async () => ({ kind: 'refused', refusal: 'bad-credentials' });
