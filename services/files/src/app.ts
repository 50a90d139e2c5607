import { followsReferences, insecureSettings, warnOfInsecurity } from '@lintel/config';
import { AUDIENCE_FILE, AUDIENCE_INTERNAL, AUDIENCE_REST, createUrlMatcher } from '@lintel/contracts';
import {
  type AuthenticateOptions,
  authenticate,
  countRefusals,
  createServiceApp,
  createStepUp,
  type Readiness,
  type TokenVerifier,
} from '@lintel/http';
import { createAccessDirectory, type RoleRegistry } from '@lintel/security';
import { createSecurityLog, type Logger, type Metrics } from '@lintel/telemetry';
import type { Clock } from '@lintel/timing';
import type { Express } from 'express';
import type { FileAccess } from './access/file-access.ts';
import { type FilesConfig, safetyOf } from './config.ts';
import { paceOf } from './guard-against-stall.ts';
import { createInternalRouter } from './internal/internal.routes.ts';
import { createUploadCompletion } from './resumable/complete-upload.ts';
import type { FileStorages } from './storage/settings/file-storages.ts';
import { createSweeper } from './storage/sweeper.ts';
import { createTransferMetrics } from './transfers/measure-transfers.ts';
import { createMinorGcTrigger } from './transfers/minor-gc-trigger.ts';
import { createTransferLimits } from './transfers/transfer-limits.ts';
import { createTransfersRouter } from './transfers.routes.ts';

export interface FilesPorts {
  /** The current roles: those of the application and those in the database. */
  readonly currentRoles: () => RoleRegistry;
  readonly storages: FileStorages;
  /** Rights of callers to what refers to files; used with `svc.files.access=references`. */
  readonly fileAccess: Pick<FileAccess, 'mayRead'>;
  readonly verifier: TokenVerifier;
  readonly loadSession: AuthenticateOptions['loadSession'];
  readonly logger: Logger;
  readonly metrics?: Metrics;
  readonly clock: Clock;
  /** A new UUID. */
  readonly newId: () => string;
  /** Runs a minor garbage collection; called often during transfers. */
  readonly runMinorGc: () => void;
}

/** The applications of the files service. */
export interface FilesService {
  /** The checks of `/health/ready`. */
  readonly readiness: Readiness;
  /** The public API. The gateway routes to it. */
  readonly app: Express;
  /** `/internal/files`, for other services, on a port of its own. */
  readonly internalApp: Express;
  /** Starts to remove unfinished uploads of processes that have ended. */
  start(): Promise<void>;
  /** Stops what `start` started. Does not close the ports. */
  close(): Promise<void>;
}

/** Creates the files service. Its only state is in its storages, so any replica can serve any request. */
export function createFilesService(ports: FilesPorts, config: FilesConfig): FilesService {
  const { platform, restPaths } = config;
  const isAnonymousUrl = createUrlMatcher([
    ...platform.anonymousUrlPatterns,
    ...platform.resourceServerAnonymousUrlPatterns,
  ]);
  const { storages, clock, newId, logger, verifier, loadSession } = ports;
  const inlineExtensions = new Set(config.inlineExtensions.map((extension) => extension.toLowerCase()));
  const sweeper = createSweeper({ storages, clock, logger });
  const passed = createMinorGcTrigger(ports.runMinorGc);
  const measured = createTransferMetrics(ports.metrics);
  const pace = paceOf(config.minTransferRate);
  const kept = { storages, clock, newId, inlineExtensions, passed, measured, pace };
  const transfers = createTransfersRouter({
    ...kept,
    acceptsForms: true,
    completion: createUploadCompletion({ passed, stored: measured.stored }),
    fileAccess: followsReferences(config) ? ports.fileAccess : undefined,
    expiryMs: config.uploadExpiryMs,
    maxFileSizeBytes: config.maxFileSizeBytes,
    accessOf: createAccessDirectory(ports.currentRoles),
    isAnonymousUrl,
    unknownMembers: config.unknownMembers,
    limits: createTransferLimits({ uploads: config.maxUploadsPerUser, downloads: config.maxDownloadsPerUser }),
  });
  const internal = createInternalRouter({
    ...kept,
    acceptsForms: false,
    // The limit of the public API is for its users; reports have limits of their own.
    maxFileSizeBytes: Number.POSITIVE_INFINITY,
    authenticate: authenticate({ verifier, loadSession, audience: AUDIENCE_INTERNAL }),
    internalSecret: platform.internalSecret,
  });
  const readiness = Object.fromEntries(
    storages.all.map(({ name, store }) => [`storage ${name}`, () => store.assertReady().then(() => true)]),
  );
  return {
    readiness,
    app: createServiceApp({
      service: 'files',
      internalSecret: platform.internalSecret,
      onRefused: countRefusals(createSecurityLog({ logger })),
      logger,
      metrics: ports.metrics,
      readiness,
      configure(app) {
        app.use(
          restPaths.basePath,
          authenticate({
            verifier,
            loadSession,
            audience: [AUDIENCE_REST, AUDIENCE_FILE],
            scope: platform.apiScope,
            isAnonymousUrl,
            isReading: readingTest(`${restPaths.basePath}${restPaths.filesPath}`),
            stepUp: createStepUp(Object.values(config.stepUp)),
          }),
        );
        app.use(`${restPaths.basePath}${restPaths.filesPath}`, measured.middleware, transfers);
      },
    }),
    internalApp: createServiceApp({
      service: 'files-internal',
      internalSecret: platform.internalSecret,
      logger,
      metrics: ports.metrics,
      readiness,
      configure: (app) => app.use('/internal', measured.middleware, internal),
    }),
    async start() {
      warnOfInsecurity(insecureSettings(config, safetyOf), ports.logger);
      sweeper.start();
    },
    close: () => sweeper.stop(),
  };
}

/** Downloads: `GET /files?fileRef=…`. */
const readingTest =
  (filesPath: string) =>
  (method: string, url: string): boolean =>
    (method === 'GET' || method === 'HEAD') && url.split('?', 1)[0] === filesPath;
