import type { KeyValueStore, SessionStore } from '@lintel/cache';
import type { EventBus } from '@lintel/events';
import type { Messages } from '@lintel/metadata';
import type { Database } from '@lintel/persistence';
import type { Logger, Metrics } from '@lintel/telemetry';
import type { Clock } from '@lintel/timing';
import type { OpeningKeys } from './keys/open-keys.ts';

export type { Clock };

/** The ports that the composition root passes to the auth service. */
export interface AuthPorts {
  /** Reads schema `sec`, owns schema `auth`. */
  readonly database: Database;
  /** Access tokens, codes and counters. */
  readonly keyValues: KeyValueStore;
  /** Sessions, which every service reads. */
  readonly sessions: SessionStore;
  readonly bus: EventBus;
  readonly logger: Logger;
  readonly metrics?: Metrics;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Id and name of the application, which are no passwords. */
  readonly applicationNames?: readonly string[];
  /** The signing keys, if they are being loaded already; else `start` loads them. */
  readonly openingKeys?: OpeningKeys;
  /** Texts of the platform and of the application. */
  readonly messages: Messages;
}

export interface IdSource {
  /** A new random UUID. */
  next(): string;
}
