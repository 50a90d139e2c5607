import { INTEGERS, type Principal, versionCommentBody, versionRestorationBody } from '@lintel/contracts';
import { isPlatformError, PlatformError } from '@lintel/errors';
import { contextOf, publicUrlOf, sendJson } from '@lintel/http';
import type { Enumeration, Model } from '@lintel/metadata';
import { assertReadable, resolveEntity } from '@lintel/query';
import { NO_PREFERENCES, type ReadDependencies, readEntities } from '@lintel/reading';
import { type Access, assertStrongLogin } from '@lintel/security';
import type { Request, Response, Router } from 'express';
import type { Engine } from '../feature.ts';
import { numberOf } from '../receiving/receive-number.ts';
import { receiveChecked } from '../rights/receive-rights.ts';
import { compareVersions } from './compare-versions.ts';
import { createReportVersionStore } from './create-report-version-store.ts';
import type { ReportVersion } from './report-version.ts';
import { assertMayRestore, restoreVersion, unknownVersion } from './restore-version.ts';
import { REPORT, seesTemplates, shownContent } from './shown-version.ts';

/** Larger numbers are of no version. */
const NUMBER = /^[1-9]\d{0,6}$/;

/** Versions of the reports of the database, for those who may change reports (contract/reports.md#versions). */
export function registerReportVersionsRoutes(
  router: Router,
  { config, accessOf, read, write, requestDatabase }: Engine,
): void {
  const store = createReportVersionStore(requestDatabase);
  const path = `${config.paths.entitiesPath}/${REPORT}/:entityId/versions`;
  const outputTypes = outputTypesOf(read.currentModel());
  const open = async (request: Request, response: Response): Promise<Opened> => {
    const { principal, signal } = contextOf(request, response);
    const access = accessOf(principal);
    const reading = read.loadAccess(principal).read;
    assertReadable(resolveEntity(read.currentModel(), REPORT), reading);
    assertMayUpdate(access);
    response.setHeader('Cache-Control', 'no-store');
    const id = textOf(request, 'entityId');
    const reportId = await visibleReport(id, principal, read, signal);
    return {
      caller: principal,
      signal,
      access,
      reportId,
      show: ({ content }) => shownContent(content, reading, outputTypes),
      mayReadTemplates: seesTemplates(reading),
    };
  };
  const load = async (reportId: string, number: number | undefined): Promise<ReportVersion> => {
    const version = await store.load(reportId, number);
    if (version === undefined) throw unknownVersion();
    return version;
  };

  router.get(path, async (request, response) => {
    const { reportId } = await open(request, response);
    const limit = numberOf(request, INTEGERS.versions);
    const before = numberOf(request, INTEGERS.versionsBefore);
    sendJson(response, 200, await store.list(reportId, { before, limit }));
  });

  router.get(`${path}/:number`, async (request, response) => {
    const { reportId, show } = await open(request, response);
    const version = await load(reportId, numberIn(request));
    const { content: _content, ...info } = version;
    const { attributes, templates } = show(version);
    sendJson(response, 200, { ...info, ...attributes, ...(templates !== undefined && { templates }) });
  });

  router.get(`${path}/:number/difference`, async (request, response) => {
    const { reportId, show } = await open(request, response);
    const from = await load(reportId, numberIn(request));
    const isWithNewest = request.query['with'] === undefined;
    const to = await load(reportId, isWithNewest ? undefined : numberOf(request, INTEGERS.otherVersion));
    sendJson(response, 200, { from: from.number, to: to.number, ...compareVersions(show(from), show(to)) });
  });

  router.patch(`${path}/:number`, async (request, response) => {
    const { reportId } = await open(request, response);
    const { comment } = await receiveChecked(request, versionCommentBody);
    const changed = await store.setComment(reportId, numberIn(request), comment);
    if (changed === undefined) throw unknownVersion();
    sendJson(response, 200, changed);
  });

  router.post(`${path}/:number/restore`, async (request, response) => {
    const { caller, signal, access, reportId, mayReadTemplates } = await open(request, response);
    assertMayRestore(access, mayReadTemplates);
    const { comment } = await receiveChecked(request, versionRestorationBody.default({ comment: null }));
    const version = await load(reportId, numberIn(request));
    const restoration = { reportId, version, comment, ifMatch: request.headers['if-match'], url: publicUrlOf(request) };
    sendJson(response, 200, await restoreVersion(restoration, caller, { store, write, outputTypes }, signal));
  });
}

/** A request of a caller who may change reports, and who sees the one of the path. */
interface Opened {
  readonly caller: Principal;
  readonly signal: AbortSignal;
  readonly access: Access;
  readonly reportId: string;
  readonly show: (version: ReportVersion) => ReturnType<typeof shownContent>;
  readonly mayReadTemplates: boolean;
}

function assertMayUpdate(access: Access): void {
  if (access.allows(REPORT, 'update')) return;
  assertStrongLogin(access, (stronger) => stronger.allows(REPORT, 'update'));
  throw new PlatformError('ACCESS_UPDATE_DENIED', `Updating of the ${REPORT} is forbidden`);
}

/**
 * The id of a report that the caller sees now: row-level policies are asked of its current state.
 *
 * @throws PlatformError as a read of the instance does, with a body for a missing one
 */
async function visibleReport(
  id: string,
  caller: Principal,
  read: ReadDependencies,
  signal: AbortSignal,
): Promise<string> {
  const request = {
    operation: 'instance',
    entityName: REPORT,
    id,
    members: { fetchPlan: '_instance_name' },
    isFromBody: false,
    preferences: NO_PREFERENCES,
  } as const;
  try {
    await readEntities(request, caller, read, signal);
  } catch (error) {
    // Only the load of an instance has no body (contract/decisions.md#1).
    if (isPlatformError(error) && error.emptyBody)
      throw new PlatformError('DATA_INSTANCE_NOT_FOUND', `Entity ${REPORT} with id ${id} not found`);
    throw error;
  }
  return id;
}

function outputTypesOf({ enums }: Model): Enumeration {
  const found = enums.get('report.ReportOutputType');
  if (found === undefined) throw new Error('The model has no report.ReportOutputType');
  return found;
}

function numberIn(request: Request): number {
  const number = textOf(request, 'number');
  if (!NUMBER.test(number)) throw unknownVersion();
  return Number(number);
}

const textOf = ({ params }: Request, name: string): string => String(params[name] ?? '');
