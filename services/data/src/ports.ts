import type { Application } from '@lintel/application';
import type { Session } from '@lintel/contracts';
import type { IdSource, ReplicaPorts } from '@lintel/entities';
import type { TokenVerifier } from '@lintel/http';
import type { Messages } from '@lintel/metadata';
import type { Database, ResultMemory } from '@lintel/persistence';
import type { RoleRegistry } from '@lintel/security';
import type { Logger, Metrics } from '@lintel/telemetry';
import type { Clock } from '@lintel/timing';
import type { SessionLocales } from './user-session/session-locales.ts';

/** What the data service needs from outside; made in `main.ts` and `deploy/standalone`. */
export interface DataPorts {
  /** The application with its fetch plans (`loadFetchPlans`) and texts (`loadMessages`). */
  readonly application: Application;
  readonly database: Database;
  /** Replicas of the database, and what tells which sessions they must not answer yet. Absent where there are none. */
  readonly replicas?: ReplicaPorts | undefined;
  /** That of the databases, by which large results are counted until their responses are closed. */
  readonly resultMemory?: ResultMemory | undefined;
  /** Of a login in the role `lintel_report_reader`; absent where reports run no SQL. */
  readonly reportDatabase?: Database | undefined;
  /** The roles of this moment: the application's and the database's. */
  readonly currentRoles: () => RoleRegistry;
  /** The texts of this moment: the application's and the database's. Without it the application's. */
  readonly currentMessages?: () => Messages;
  readonly verifier: TokenVerifier;
  /** The session of a token, normally `SessionStore.load` through a cache. */
  readonly loadSession: (sessionId: string) => Promise<Session | undefined>;
  readonly sessionLocales: SessionLocales;
  readonly clock: Clock;
  /** For the ages of what is held: it never jumps. */
  readonly monotonicClock: Clock;
  readonly ids: IdSource;
  /** `hashPassword` of `@lintel/passwords`. */
  readonly hashPassword: (text: string) => Promise<string>;
  readonly logger: Logger;
  readonly metrics?: Metrics;
}
