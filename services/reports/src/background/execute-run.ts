import type { Principal, Session } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { DESCRIPTION_INVALID, principalOfSession } from '@lintel/http';
import type { Access } from '@lintel/security';
import type { DatasetClient } from '../datasets/dataset-client.ts';
import type { CatalogueFor } from '../definitions/catalogue-for.ts';
import { findReportById } from '../definitions/find-report.ts';
import { endOnRecord } from '../history/record-document.ts';
import { RunDeadlineError } from '../runs/run-error.ts';
import { beginningOf, endOf, makeDocument, prepareRun, type RunInput, type RunPorts } from '../runs/run-report.ts';
import type { ClaimedRun, NewRun, RunResult } from './background-run.ts';
import type { DocumentStore } from './document-store.ts';
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
 * Renders and stores the document of a run in the background. The current rights of the caller apply, not those at the
 * time of the request: the session must exist, the report must be visible, and data are read under the caller's rights.
 */
export async function executeRun(
  { runId, run }: ClaimedRun,
  progress: ProgressMeter,
  signal: AbortSignal,
  ports: ExecuteRunPorts,
): Promise<RunResult> {
  const { principal, access } = await callerOf(run, ports);
  const token = ports.runPorts.serviceTokens.forRun(run.waitingToken, runId);
  const catalogue = await ports.catalogueFor({ principal, token, signal });
  const report = findReportById(catalogue, run.report.id, { principal, access });
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(new RunDeadlineError(ports.timeoutMs)), ports.timeoutMs);
  try {
    const input: RunInput = {
      runId,
      report,
      reportInPath: run.report.id,
      body: run.request,
      subjectToken: run.waitingToken,
      username: run.username,
      access,
      locale: run.locale,
      signal: AbortSignal.any([signal, deadline.signal]),
    };
    const runPorts = { ...ports.runPorts, datasets: counting(ports.runPorts.datasets, progress) };
    const prepared = await prepareRun(input, runPorts);
    const { history, logger } = runPorts;
    const execution = await history.begin(beginningOf(prepared, input));
    try {
      progress.enter('DATA');
      const { fileName, contentType, content } = await makeDocument(prepared, input, runPorts);
      progress.enter('DOCUMENT');
      const result = await ports.documents.store({ name: fileName, contentType, content }, token, input.signal);
      const document = history.savesDocuments ? result.fileRef : undefined;
      await endOnRecord(execution, { kind: 'succeeded', document }, logger);
      return result;
    } catch (error) {
      await endOnRecord(execution, endOf(error, input), logger);
      throw error;
    }
  } finally {
    clearTimeout(timer);
  }
}

async function callerOf(run: NewRun, { loadSession, accessOf }: ExecuteRunPorts) {
  const session = await loadSession(run.sessionId);
  if (session === undefined || session.username !== run.username)
    throw new PlatformError('AUTH_INVALID_TOKEN', DESCRIPTION_INVALID);
  const principal = principalOfSession(session, { locale: run.locale, actingService: 'reports' });
  const access = accessOf(principal);
  if (!access.hasSpecific('reports.rest.enabled'))
    throw new PlatformError('ACCESS_DENIED', 'User is not allowed to use the REST API');
  return { principal, access };
}

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
