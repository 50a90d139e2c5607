import { callerKeyOf, type Principal, type Session } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { DESCRIPTION_INVALID, principalOfSession } from '@lintel/http';
import { type Access, assertSpecific } from '@lintel/security';
import type { DatasetClient, RunToken } from '../datasets/dataset-client.ts';
import type { CatalogueFor } from '../definitions/catalogue-for.ts';
import { findReportById, NOT_ALLOWED } from '../definitions/find-report.ts';
import type { LoadedReport } from '../definitions/report-catalogue.ts';
import type { DocumentStore, StoredDocument } from '../files/document-store.ts';
import { timeZoneOf } from '../parameters/default-expression.ts';
import type { ClaimedRun, NewRun } from '../runs/background-run.ts';
import { renderDocument } from '../runs/execution/render-document.ts';
import { startDeadline } from '../runs/execution/run-deadline.ts';
import { beginExecution } from '../runs/execution/run-execution.ts';
import { type PreparedRun, prepareRun } from '../runs/preparation/prepare-run.ts';
import type { RunInput, RunPorts } from '../runs/preparation/run-input.ts';
import type { ProgressMeter } from './run-worker.ts';

export interface ExecuteRunPorts {
  readonly catalogueFor: CatalogueFor;
  readonly loadSession: (id: string) => Promise<Session | undefined>;
  readonly accessOf: (principal: Principal) => Access;
  readonly runPorts: RunPorts;
  readonly documents: DocumentStore;
  readonly timeoutMs: number;
}

/**
 * Executes a run in the background, from the lease to the stored document: the list of the stages. The current rights of
 * the caller apply, not those at the time of the request: the session must exist, the report must be visible, and data
 * are read under the caller's rights.
 */
export async function executeRun(
  { runId, run }: ClaimedRun,
  progress: ProgressMeter,
  signal: AbortSignal,
  ports: ExecuteRunPorts,
): Promise<StoredDocument> {
  const caller = await authorizeCaller(run, ports);
  const token = ports.runPorts.serviceTokens.forRun(run.waitingToken, runId);
  const report = await loadReport(run, caller, token, signal, ports);
  const deadline = startDeadline(ports.timeoutMs);
  try {
    const input = toRunInput(runId, run, { report, caller, signal: AbortSignal.any([signal, deadline.signal]) });
    const runPorts = { ...ports.runPorts, datasets: counting(ports.runPorts.datasets, progress) };
    const prepared = await prepareRun(input, runPorts);
    try {
      return await storeDocument(prepared, input, { ...ports, runPorts, progress, token });
    } finally {
      prepared.release();
    }
  } finally {
    deadline.clear();
  }
}

/** Stores the document of a prepared run while it is rendered. */
async function storeDocument(
  prepared: PreparedRun,
  input: RunInput,
  {
    runPorts,
    documents,
    progress,
    token,
  }: Pick<ExecuteRunPorts, 'runPorts' | 'documents'> & { readonly progress: ProgressMeter; readonly token: RunToken },
): Promise<StoredDocument> {
  const execution = await beginExecution(prepared, input, runPorts);
  const result = await execution.during(async () => {
    progress.enter('DATA');
    const { fileName, contentType, content } = await renderDocument(prepared, input, runPorts);
    progress.enter('DOCUMENT');
    return documents.store({ name: fileName, contentType, content }, token, input.signal);
  });
  await execution.succeed(result.fileRef);
  return result;
}

interface BackgroundCaller {
  readonly principal: Principal;
  readonly access: Access;
}

async function authorizeCaller(run: NewRun, { loadSession, accessOf }: ExecuteRunPorts): Promise<BackgroundCaller> {
  const session = await loadSession(run.sessionId);
  if (session === undefined || callerKeyOf(session) !== run.caller)
    throw new PlatformError('AUTH_INVALID_TOKEN', DESCRIPTION_INVALID);
  const { acr, authTime } = session;
  const principal = principalOfSession(session, { locale: run.locale, actingService: 'reports', acr, authTime });
  const access = accessOf(principal);
  assertSpecific(access, 'reports.rest.enabled', 'ACCESS_DENIED', NOT_ALLOWED);
  return { principal, access };
}

async function loadReport(
  run: NewRun,
  caller: BackgroundCaller,
  token: RunToken,
  signal: AbortSignal,
  { catalogueFor }: ExecuteRunPorts,
): Promise<LoadedReport> {
  const catalogue = await catalogueFor({ principal: caller.principal, token, signal });
  return findReportById(catalogue, run.report.id, caller);
}

const toRunInput = (
  runId: string,
  run: NewRun,
  {
    report,
    caller,
    signal,
  }: { readonly report: LoadedReport; readonly caller: BackgroundCaller; readonly signal: AbortSignal },
): RunInput => ({
  runId,
  report,
  reportInPath: run.report.id,
  body: run.request,
  subjectToken: run.waitingToken,
  username: caller.principal.username,
  timeZone: timeZoneOf(caller.principal),
  access: caller.access,
  locale: run.locale,
  signal,
});

const counting = (datasets: DatasetClient, progress: ProgressMeter): DatasetClient => ({
  read: (...request) => counted(datasets.read(...request), progress),
  select: (...request) => counted(datasets.select(...request), progress),
});

async function* counted<R>(rows: AsyncIterable<R>, progress: ProgressMeter): AsyncGenerator<R> {
  for await (const row of rows) {
    progress.addRow();
    yield row;
  }
}
