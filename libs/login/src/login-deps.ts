import type { KeyValueStore } from '@lintel/cache';
import type { FairQueue } from '@lintel/http';
import type { Messages } from '@lintel/metadata';
import type { Database } from '@lintel/persistence';
import type { Logger, SecurityLog } from '@lintel/telemetry';
import type { Clock } from '@lintel/timing';
import type { AttemptGuard } from './attempts/attempt-guard.ts';
import type { LoginCheck } from './credentials/login-check.ts';
import type { LoginHistory } from './credentials/login-history.ts';
import type { LoginRecords } from './credentials/login-records.ts';
import type { AccountDirectory, ClientDirectory, IdSource, TextCipher } from './login-ports.ts';

/** Ports that the service implements. */
export interface LoginPorts {
  /** Reads schema `sec`, and has the tables of passwords, links and factors in schema `auth`. */
  readonly database: Database;
  readonly keyValues: KeyValueStore;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly messages: Messages;
  /** Id and name of the application, which are no passwords. */
  readonly applicationNames?: readonly string[];
  readonly accounts: AccountDirectory;
  readonly clients: ClientDirectory;
  readonly checkLogin: LoginCheck;
  readonly records: LoginRecords;
  readonly history: Pick<LoginHistory, 'note'>;
  /** The queue in which passwords are hashed, shared fairly among addresses. */
  readonly hashing: Pick<FairQueue, 'run'>;
  /** Limits guesses of second factors per user and address. */
  readonly factorGuard: AttemptGuard;
  readonly security: SecurityLog;
  /** @param purpose separates the keys of different uses */
  cipherFor(purpose: string): TextCipher;
  /** @throws ConfigurationError if the login of the database may not create users and assign roles */
  assertMayCreateUsers(): Promise<void>;
}
