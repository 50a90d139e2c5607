import type { Application } from '@lintel/application';
import { insecureSettings, warnOfInsecurity } from '@lintel/config';
import {
  AUDIENCE_REST,
  createUrlMatcher,
  knownParameters,
  type Principal,
  REPORTS_PATH,
  reportRoutes,
  type Session,
} from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import {
  authenticate,
  bearerToken,
  checkParameters,
  contextOf,
  countRefusals,
  createRouter,
  createServiceApp,
  createStepUp,
  FairQueue,
  principalOf,
  type Readiness,
  type TokenVerifier,
  toMiddleware,
} from '@lintel/http';
import type { Messages } from '@lintel/metadata';
import { type Access, assertSpecific, createAccessDirectory, type RoleRegistry } from '@lintel/security';
import { createSecurityLog, type Logger, type Metrics } from '@lintel/telemetry';
import type { Clock } from '@lintel/timing';
import type { Express, Request, RequestHandler, Response } from 'express';
import { registerBackgroundRoutes } from './background/background.routes.ts';
import { type BackgroundRunsPorts, createBackgroundRuns } from './background/create-background-runs.ts';
import { type ReportsConfig, safetyOf } from './config.ts';
import type { DatasetClient } from './datasets/dataset-client.ts';
import type { ServiceTokenSource } from './datasets/service-tokens.ts';
import { createCatalogueFor } from './definitions/catalogue-for.ts';
import { registerDefinitionRoutes } from './definitions/definitions.routes.ts';
import { loadReportCatalogue, type ReportCatalogue } from './definitions/report-catalogue.ts';
import type { StoredReports } from './definitions/stored-reports.ts';
import { warnOfMissingPrograms } from './definitions/warn-of-missing-programs.ts';
import { registerDocumentRoutes } from './docs/docs.routes.ts';
import type { FileReader } from './files/file-reader.ts';
import type { StoredExecutionHistory } from './history/create-execution-history.ts';
import { NO_HISTORY } from './history/execution-history.ts';
import { registerPreviewRoutes } from './previews/previews.routes.ts';
import type { RemoteReader } from './remote-documents/fetch-document.ts';
import type { DocumentConverters } from './rendering/converting/document-converters.ts';
import type { RunPorts } from './runs/run-input.ts';
import { createRunMetrics } from './runs/run-metrics.ts';
import { registerRunRoutes } from './runs/runs.routes.ts';
import { SpoolSpace } from './runs/spool-space.ts';
import type { VersionReader } from './versions/create-version-reader.ts';
import { registerVersionRoutes } from './versions/versions.routes.ts';

const NO_STORED_REPORTS: StoredReports = { reports: [], groups: [] };

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
  /** Without it executions are not recorded. */
  readonly history?: StoredExecutionHistory;
}

/** The reports service. */
export interface ReportsService {
  /** The checks of `/health/ready`. */
  readonly readiness: Readiness;
  readonly app: Express;
  /**
   * Reads and checks the report definitions and their templates.
   *
   * @throws ReportDefinitionError with all problems
   */
  start(): Promise<void>;
  /** Stops what `start` has started. The caller closes the ports. */
  close(): Promise<void>;
}

/** Middleware order: authenticate → `reports.rest.enabled` → feature routers. */
export function createReportsService(ports: ReportsPorts, config: ReportsConfig): ReportsService {
  const { platform } = config;
  const isAnonymousUrl = createUrlMatcher([
    ...platform.anonymousUrlPatterns,
    ...platform.resourceServerAnonymousUrlPatterns,
  ]);
  const accessOf = createAccessDirectory(ports.currentRoles);
  let loaded: ReportCatalogue | undefined;
  const catalogue = (): ReportCatalogue => {
    if (loaded === undefined) throw new Error('The reports service was not started');
    return loaded;
  };
  const catalogueFor = createCatalogueFor({
    ofApplication: catalogue,
    stored: ports.storedReports ?? (() => NO_STORED_REPORTS),
    currentRoles: ports.currentRoles,
    datasets: ports.datasets,
  });
  const catalogueOf = (request: Request, response: Response): Promise<ReportCatalogue> => {
    const { principal, signal } = contextOf(request, response);
    const token = ports.serviceTokens.forRun(bearerToken(request.headers.authorization) ?? '', ports.newId());
    return catalogueFor({ principal, token, signal });
  };
  const callerOf = (response: Response): { readonly principal: Principal; readonly access: Access } => {
    const principal = principalOf(response);
    if (principal === undefined) throw new PlatformError('AUTH_UNAUTHORIZED');
    return { principal, access: accessOf(principal) };
  };

  const requireReportsEnabled: RequestHandler = (request, response, next) => {
    if (!isAnonymousUrl(request.originalUrl))
      assertSpecific(
        callerOf(response).access,
        'reports.rest.enabled',
        'ACCESS_DENIED',
        'User is not allowed to use the REST API',
      );
    next();
  };
  const router = createRouter();
  const { verifier, loadSession } = ports;
  const { availableLocales } = config;
  router.use(
    authenticate({
      verifier,
      loadSession,
      audience: AUDIENCE_REST,
      scope: platform.apiScope,
      isAnonymousUrl,
      availableLocales,
      stepUp: createStepUp(Object.values(config.stepUp)),
    }),
  );
  router.use(requireReportsEnabled);
  router.use(toMiddleware(checkParameters(knownParameters(reportRoutes('')), config.unknownMembers)));
  const currentMessages = ports.currentMessages ?? (() => ports.application.messages);
  const templateLimits = { maxTags: config.limits.templateTags };
  const runPorts: RunPorts = {
    model: ports.application.model,
    currentMessages,
    datasets: ports.datasets,
    remote: ports.remote,
    serviceTokens: ports.serviceTokens,
    clock: ports.clock,
    limits: {
      htmlMaxRows: config.htmlMaxRows,
      liquid: { maxRenderMs: config.template.maxRenderMs, maxOutputLength: config.template.maxOutputLength },
      csvFormulaGuard: config.csvFormulaGuard,
      maxElements: config.limits.documentElements,
      template: templateLimits,
      maxPathMs: config.limits.jsonPathMs,
      maxCells: config.limits.crossTableCells,
      maxPicturesBytes: config.limits.picturesBytes,
      xlsxMaxRows: config.xlsxMaxRows,
    },
    converters: ports.converters,
    files: ports.files,
    putEmptyRow: config.putEmptyRow,
    maxRows: config.maxRows,
    history: ports.history ?? NO_HISTORY,
    documents: ports.background?.documents,
    measured: createRunMetrics(ports.metrics),
    logger: ports.logger,
  };
  const { logger, clock, newId } = ports;
  const background =
    ports.background &&
    createBackgroundRuns({
      ...ports.background,
      catalogueFor,
      loadSession,
      accessOf,
      runPorts,
      logger,
      clock,
      newId,
      config: config.background,
    });
  registerDefinitionRoutes(router, { catalogueOf, callerOf, currentMessages, availableLocales, clock: ports.clock });
  registerDocumentRoutes(router, { callerOf, isAnonymousUrl });
  const { maxRuns, maxWaitMs, maxWaiting, maxWaitingPerUser } = config.shares;
  const runRoutePorts = {
    unknownMembers: config.unknownMembers,
    runs: new FairQueue({
      name: 'report-runs',
      capacity: maxRuns,
      heavyCapacity: maxRuns,
      maxWaitMs,
      maxWaiting,
      maxWaitingPerCaller: maxWaitingPerUser,
      metrics: ports.metrics,
    }),
    spoolSpace: new SpoolSpace(config.limits.unreadBytes),
    catalogueOf,
    callerOf,
    runPorts,
    background,
    newId: ports.newId,
    availableLocales,
    maxBodyBytes: config.maxBodyBytes,
    runTimeoutMs: config.runTimeoutMs,
  };
  registerRunRoutes(router, runRoutePorts);
  registerPreviewRoutes(router, { ...runRoutePorts, application: ports.application });
  registerVersionRoutes(router, {
    ...runRoutePorts,
    application: ports.application,
    readVersion: ports.readVersion ?? (async () => undefined),
    currentRoles: ports.currentRoles,
    currentMessages,
    clock,
  });

  if (background !== undefined) registerBackgroundRoutes(router, { ...background, callerOf });

  const { background: backgroundPorts, metrics } = ports;
  if (backgroundPorts !== undefined)
    metrics?.observe('lintel.reports.runs.waiting', () => backgroundPorts.store.countWaiting());
  const readiness: Readiness = { definitions: () => loaded !== undefined };
  return {
    readiness,
    app: createServiceApp({
      service: 'reports',
      onRefused: countRefusals(createSecurityLog({ logger })),
      logger: ports.logger,
      metrics: ports.metrics,
      readiness,
      configure: (app) => app.use(REPORTS_PATH, router),
    }),
    async start() {
      warnOfInsecurity(insecureSettings(config, safetyOf), ports.logger);
      loaded = await loadReportCatalogue(ports.application, ports.readTemplate, templateLimits);
      await warnOfMissingPrograms(loaded.reports, ports.converters, ports.logger);
      await background?.queue.start();
      ports.history?.start();
    },
    close: async () => {
      await background?.queue.stop();
      await ports.history?.stop();
    },
  };
}
