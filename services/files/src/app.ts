import { AUDIENCE_REST, createUrlMatcher } from '@lintel/contracts';
import { type AuthenticateOptions, authenticate, createServiceApp, type TokenVerifier } from '@lintel/http';
import { createAccessDirectory, type RoleBook } from '@lintel/security';
import type { Logger } from '@lintel/telemetry';
import type { Express } from 'express';
import type { FilesConfig } from './config.ts';
import type { FileStorages } from './storage/file-storages.ts';
import { createTransfersRouter } from './transfers/transfers.routes.ts';
import type { Clock } from './transfers/upload-file.ts';

export interface FilesPorts {
  /** The roles of this moment: the application's and the database's. */
  readonly currentRoles: () => RoleBook;
  readonly storages: FileStorages;
  readonly verifier: TokenVerifier;
  readonly loadSession: AuthenticateOptions['loadSession'];
  readonly logger: Logger;
  readonly clock: Clock;
  /** A new UUID. */
  readonly newId: () => string;
}

/** The files service, ready to be listened to. */
export interface FilesService {
  readonly app: Express;
  /** Does what must be done before the first request. */
  start(): Promise<void>;
  /** Ends what `start` began. The ports belong to the caller. */
  close(): Promise<void>;
}

/** The files service: keeps no state but the bytes in its storages, so any replica serves any request. */
export function createFilesService(ports: FilesPorts, config: FilesConfig): FilesService {
  const { platform, restPaths } = config;
  const isAnonymousUrl = createUrlMatcher([
    ...platform.anonymousUrlPatterns,
    ...platform.resourceServerAnonymousUrlPatterns,
  ]);
  const transfers = createTransfersRouter({
    storages: ports.storages,
    clock: ports.clock,
    newId: ports.newId,
    inlineExtensions: new Set(config.inlineExtensions.map((extension) => extension.toLowerCase())),
    accessOf: createAccessDirectory(ports.currentRoles),
    isAnonymousUrl,
  });
  const app = createServiceApp({
    service: 'files',
    logger: ports.logger,
    readiness: Object.fromEntries(
      ports.storages.all.map(({ name, store }) => [`storage ${name}`, () => store.isReady()]),
    ),
    configure(app) {
      const { verifier, loadSession } = ports;
      app.use(restPaths.basePath, authenticate({ verifier, loadSession, audience: AUDIENCE_REST, isAnonymousUrl }));
      app.use(`${restPaths.basePath}${restPaths.filesPath}`, transfers);
    },
  });
  return { app, start: () => Promise.resolve(), close: () => Promise.resolve() };
}
