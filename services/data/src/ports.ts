import type { Application } from '@lintel/application';
import type { OwnWrites, ProcessDirectory } from '@lintel/cache';
import type { Session } from '@lintel/contracts';
import type { EventAdministration } from '@lintel/events';
import type { TokenVerifier } from '@lintel/http';
import type { Messages } from '@lintel/metadata';
import type { Database, ResultMemory } from '@lintel/persistence';
import type { IdSource, ReplicaPorts } from '@lintel/reading';
import type { RoleRegistry } from '@lintel/security';
import type { Logger, Metrics } from '@lintel/telemetry';
import type { Clock } from '@lintel/timing';
import type { AuthAdministration } from './identity/auth-administration.ts';
import type { Mailbox } from './mails/create-mailbox.ts';
import type { ReportsServer } from './report-deliveries/delivery-job.ts';
import type { Tickets } from './tickets/tickets.ts';
import type { StoredFiles } from './unreferenced-files/stored-files.ts';
import type { SecondFactorDirectory } from './user-session/second-factors.ts';
import type { SessionLocales } from './user-session/session-locales.ts';
import type { UserSessions } from './user-session/user-sessions.ts';

/** The ports of the data service; `main.ts` and `deploy/standalone` create their adapters. */
export interface DataPorts {
  /** The application with its fetch plans (`loadFetchPlans`) and texts (`loadMessages`). */
  readonly application: Application;
  readonly database: Database;
  /** Has the tables of the application, where they are not in the database of the platform. */
  readonly applicationDatabase?: Database | undefined;
  /** Writes the access log by a connection of its own, which requests that wait for it cannot occupy. */
  readonly accessLogDatabase?: Pick<Database, 'query'> | undefined;
  /** Replicas of the database, and the log positions that sessions must read from. Absent without replicas. */
  readonly replicas?: ReplicaPorts | undefined;
  /** The memory for large results, which the databases share; a result occupies it until its response is closed. */
  readonly resultMemory?: ResultMemory | undefined;
  /** The database with a login in the role `lintel_report_reader`; absent if reports run no SQL. */
  readonly reportDatabase?: Database | undefined;
  /** The current roles: those of the application and of the database. */
  readonly currentRoles: () => RoleRegistry;
  /** The current messages: those of the application and of the database. Default: those of the application. */
  readonly currentMessages?: () => Messages;
  readonly verifier: TokenVerifier;
  /** Loads the session of a token: `SessionStore.load` with a cache. */
  readonly loadSession: (sessionId: string) => Promise<Session | undefined>;
  readonly sessionLocales: SessionLocales;
  readonly userSessions: UserSessions;
  readonly secondFactors: SecondFactorDirectory;
  readonly authAdministration: AuthAdministration;
  /** The states that the processes report. */
  readonly processes: ProcessDirectory;
  /** Waits for the caches of all processes; without it their values are current after the event of a change. */
  readonly ownWrites?: OwnWrites | undefined;
  /** Queues and dead letters. */
  readonly events: EventAdministration;
  /** The storages of the files service; without them files that nothing refers to are not looked for. */
  readonly storedFiles?: StoredFiles | undefined;
  /** Shows mails if no SMTP server is configured; only in one process. */
  readonly mailbox?: Mailbox | undefined;
  /** Runs reports on a schedule. */
  readonly reports?: ReportsServer | undefined;
  /** Whether jobs run by `DataService.runDueJobs` alone, and event handlers by `handleEvents`: for tests of applications. */
  readonly runsJobsOnDemand?: boolean | undefined;
  /** Issues tickets for single requests. */
  readonly tickets: Tickets;
  readonly clock: Clock;
  /** For the ages of cached values: never goes back. */
  readonly monotonicClock: Clock;
  readonly ids: IdSource;
  /** `hashPassword` of `@lintel/passwords`. */
  readonly hashPassword: (text: string) => Promise<string>;
  readonly logger: Logger;
  readonly metrics?: Metrics;
}
