import type { Application } from '@lintel/application';
import type { Session } from '@lintel/contracts';
import type { DocumentConverters, RemoteReader } from '@lintel/documents';
import type { TokenVerifier } from '@lintel/http';
import type { Messages } from '@lintel/metadata';
import type { RoleRegistry } from '@lintel/security';
import type { Logger, Metrics } from '@lintel/telemetry';
import type { Clock } from '@lintel/timing';
import type { BackgroundRunsPorts } from './background/create-background-runs.ts';
import type { CopyPorts } from './copies/report-writer.ts';
import type { DatasetClient } from './datasets/dataset-client.ts';
import type { ServiceTokenSource } from './datasets/service-tokens.ts';
import type { StoredReports } from './definitions/stored-reports.ts';
import type { FileReader } from './files/file-reader.ts';
import type { StoredExecutionHistory } from './history/create-execution-history.ts';
import type { VersionReader } from './versions/create-version-reader.ts';

/** What the reports service uses of the system around it. */
export interface ReportsPorts {
  readonly application: Pick<Application, 'model' | 'messages' | 'resourceRoles' | 'reports' | 'reportGroups'>;
  /** Returns the current roles of the application and the database. */
  readonly currentRoles: () => RoleRegistry;
  /** Returns the current texts of the application and the database; default: those of the application. */
  readonly currentMessages?: () => Messages;
  /** Returns the current reports of the database; default: none. */
  readonly storedReports?: () => StoredReports;
  /** Reads versions of the reports of the database; default: there are none. */
  readonly readVersion?: VersionReader;
  /** Returns the bytes of a resource of the application; `readResourceBytes` of `@lintel/config`. */
  readonly readTemplate: (file: string) => Promise<Uint8Array>;
  readonly datasets: DatasetClient;
  /** Reads documents from other servers. */
  readonly remote: RemoteReader;
  /** Programs that convert documents; the caller closes them. */
  readonly converters: DocumentConverters;
  readonly files: FileReader;
  readonly serviceTokens: ServiceTokenSource;
  readonly verifier: TokenVerifier;
  readonly loadSession: (sessionId: string) => Promise<Session | undefined>;
  readonly logger: Logger;
  readonly metrics?: Metrics;
  readonly clock: Clock;
  /** A new UUID. */
  readonly newId: () => string;
  /** Without it there are no runs in the background, also where clients prefer them. */
  readonly background?: BackgroundRunsPorts;
  /** Without it reports are not copied. */
  readonly copies?: CopyPorts;
  /** Without it executions are not recorded. */
  readonly history?: StoredExecutionHistory;
}
