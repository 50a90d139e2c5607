import { insecureSettings, warnOfInsecurity } from '@lintel/config';
import {
  AUDIENCE_REST,
  createUrlMatcher,
  knownParameters,
  type Principal,
  REPORTS_PATH,
  reportRoutes,
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
  toMiddleware,
} from '@lintel/http';
import { type Access, assertSpecific, createAccessDirectory } from '@lintel/security';
import { createSecurityLog, type Metrics } from '@lintel/telemetry';
import type { Express, Request, RequestHandler, Response } from 'express';
import { registerBackgroundRoutes } from './background/background.routes.ts';
import { createBackgroundRuns } from './background/create-background-runs.ts';
import { type ReportsConfig, safetyOf } from './config.ts';
import { registerCopyRoutes } from './copies/copies.routes.ts';
import { createRunPorts } from './create-run-ports.ts';
import { createCatalogueSource } from './definitions/create-catalogue-source.ts';
import { registerDefinitionRoutes } from './definitions/definitions.routes.ts';
import { NOT_ALLOWED } from './definitions/find-report.ts';
import type { ReportCatalogue } from './definitions/report-catalogue.ts';
import { warnOfMissingPrograms } from './definitions/warn-of-missing-programs.ts';
import { registerDocumentRoutes } from './docs/docs.routes.ts';
import { registerDraftRoutes } from './drafts/drafts.routes.ts';
import { registerPreviewRoutes } from './previews/previews.routes.ts';
import type { ReportsPorts } from './reports-ports.ts';
import { registerRunRoutes } from './runs/runs.routes.ts';
import { SpoolSpace } from './runs/spool/spool-space.ts';
import { registerVersionRoutes } from './versions/versions.routes.ts';

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
  const { application, currentRoles, loadSession, logger, metrics, clock, newId, history } = ports;
  const { availableLocales } = config;
  const isAnonymousUrl = anonymousUrlsOf(config);
  const accessOf = createAccessDirectory(currentRoles);
  const callerOf = (response: Response): ReportsCaller => {
    const principal = principalOf(response);
    if (principal === undefined) throw new PlatformError('AUTH_UNAUTHORIZED');
    return { principal, access: accessOf(principal) };
  };
  const reports = createCatalogueSource(ports);
  const catalogueOf = (request: Request, response: Response): Promise<ReportCatalogue> => {
    const { principal, signal } = contextOf(request, response);
    const token = ports.serviceTokens.forRun(bearerToken(request.headers.authorization) ?? '', newId());
    return reports.catalogueFor({ principal, token, signal });
  };
  const currentMessages = ports.currentMessages ?? (() => application.messages);
  const runPorts = createRunPorts(ports, config, currentMessages);
  const background =
    ports.background &&
    createBackgroundRuns({
      ...ports.background,
      catalogueFor: reports.catalogueFor,
      loadSession,
      accessOf,
      runPorts,
      logger,
      clock,
      newId,
      config: config.background,
    });
  const { store } = ports.background ?? {};
  if (store !== undefined) metrics?.observe('lintel.reports.runs.waiting', () => store.countWaiting());

  const router = createRouter();
  router.use(...checksOf(ports, config, callerOf));
  registerDefinitionRoutes(router, { catalogueOf, callerOf, currentMessages, availableLocales, clock });
  registerDocumentRoutes(router, { callerOf, isAnonymousUrl });
  const runRoutePorts = {
    unknownMembers: config.unknownMembers,
    runs: createRunShares(config.shares, metrics),
    spoolSpace: new SpoolSpace(config.limits.unreadBytes),
    catalogueOf,
    callerOf,
    runPorts,
    background,
    newId,
    availableLocales,
    maxBodyBytes: config.maxBodyBytes,
    runTimeoutMs: config.runTimeoutMs,
  };
  registerRunRoutes(router, runRoutePorts);
  registerPreviewRoutes(router, { ...runRoutePorts, application });
  const readVersion = ports.readVersion ?? (async () => undefined);
  registerVersionRoutes(router, {
    ...runRoutePorts,
    application,
    readVersion,
    currentRoles,
    currentMessages,
    clock,
  });
  registerDraftRoutes(router, { ...runRoutePorts, application });
  if (ports.copies !== undefined) registerCopyRoutes(router, { ...runRoutePorts, ...ports.copies, currentRoles });
  if (background !== undefined) registerBackgroundRoutes(router, { ...background, callerOf });

  const readiness: Readiness = { definitions: () => reports.isLoaded() };
  return {
    readiness,
    app: createServiceApp({
      service: 'reports',
      internalSecret: config.platform.internalSecret,
      onRefused: countRefusals(createSecurityLog({ logger })),
      logger,
      metrics,
      readiness,
      configure: (app) => app.use(REPORTS_PATH, router),
    }),
    async start() {
      warnOfInsecurity(insecureSettings(config, safetyOf), logger);
      const loading = reports.load(runPorts.limits.template);
      const [{ reports: loaded }] = await Promise.all([loading, background?.queue.start(loading)]);
      await warnOfMissingPrograms(loaded, ports.converters, logger);
      history?.start();
    },
    close: async () => {
      await background?.queue.stop();
      await history?.stop();
    },
  };
}

/** The checks of every request: who calls, with which rights, with which parameters. */
function checksOf(
  { verifier, loadSession }: ReportsPorts,
  config: ReportsConfig,
  callerOf: (response: Response) => ReportsCaller,
): readonly RequestHandler[] {
  const isAnonymousUrl = anonymousUrlsOf(config);
  return [
    authenticate({
      verifier,
      loadSession,
      audience: AUDIENCE_REST,
      scope: config.platform.apiScope,
      isAnonymousUrl,
      availableLocales: config.availableLocales,
      stepUp: createStepUp(Object.values(config.stepUp)),
    }),
    (request, response, next) => {
      if (!isAnonymousUrl(request.originalUrl)) assertReportsEnabled(callerOf(response).access);
      next();
    },
    toMiddleware(checkParameters(knownParameters(reportRoutes('')), config.unknownMembers)),
  ];
}

interface ReportsCaller {
  readonly principal: Principal;
  readonly access: Access;
}

const anonymousUrlsOf = ({ platform }: ReportsConfig): ((url: string) => boolean) =>
  createUrlMatcher([...platform.anonymousUrlPatterns, ...platform.resourceServerAnonymousUrlPatterns]);

const assertReportsEnabled = (access: Access): void =>
  assertSpecific(access, 'reports.rest.enabled', 'ACCESS_DENIED', NOT_ALLOWED);

const createRunShares = (
  { maxRuns, maxWaitMs, maxWaiting, maxWaitingPerUser }: ReportsConfig['shares'],
  metrics: Metrics | undefined,
): FairQueue =>
  new FairQueue({
    name: 'report-runs',
    capacity: maxRuns,
    heavyCapacity: maxRuns,
    maxWaitMs,
    maxWaiting,
    maxWaitingPerCaller: maxWaitingPerUser,
    metrics,
  });
