import type { Principal } from '@lintel/contracts';
import type { DocumentPiece } from '@lintel/documents';
import type { FairQueue } from '@lintel/http';
import type { Access } from '@lintel/security';
import { assertReadable } from '../../definitions/find-report.ts';
import type { LoadedReport } from '../../definitions/report-catalogue.ts';
import { timeZoneOf } from '../../parameters/default-expression.ts';
import type { BackgroundRun } from '../background-run.ts';
import { type PreparedRun, prepareRun } from '../preparation/prepare-run.ts';
import type { RunInput, RunPorts } from '../preparation/run-input.ts';
import { type ReportDocument, renderDocument } from './render-document.ts';
import { type RunDeadline, startDeadline } from './run-deadline.ts';
import { beginExecution } from './run-execution.ts';

/** A request to run a report. */
export interface RunRequest {
  /** Id or code of the report. */
  readonly reportInPath: string;
  /** Loads the report, where the caller may see it. */
  readonly loadReport: () => Promise<LoadedReport>;
  readonly principal: Principal;
  readonly access: Access;
  /** The caller among whom slots are shared. */
  readonly shareCaller: string;
  /** The caller's JWT. */
  readonly subjectToken: string;
  /** Underscore form. */
  readonly locale: string;
  /** The client does not wait for the document. */
  readonly prefersBackground: boolean;
  readonly readBody: () => Promise<string>;
  readonly checkNames: RunInput['checkNames'];
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Sends the response. */
export interface RunResponder {
  /** Sends the location of a run in the background. */
  sendAccepted(run: BackgroundRun): void;
  /** Sends a document while it is rendered. */
  sendDocument(document: ReportDocument): Promise<void>;
}

export interface RunReportPorts {
  /** Shares runs with a waiting client fairly among users. */
  readonly runs: Pick<FairQueue, 'take'>;
  readonly runPorts: RunPorts;
  /** A new UUID. */
  readonly newId: () => string;
  /** Accepts runs in the background; without it every client waits. */
  readonly background: { accept(input: RunInput, principal: Principal): Promise<BackgroundRun> } | undefined;
  /** `svc.reports.run-timeout` */
  readonly runTimeoutMs: number;
}

/**
 * Runs a report, from the request to the response: the list of the stages. A run in the background is only accepted
 * here; a worker executes it, with the same stages, in `background/execute-run.ts`.
 */
export async function runReport(request: RunRequest, respond: RunResponder, ports: RunReportPorts): Promise<void> {
  authorizeCaller(request);
  const report = await request.loadReport();
  const body = await request.readBody();
  const deadline = startDeadline(ports.runTimeoutMs);
  try {
    const input = toRunInput(ports.newId(), request, { report, body, deadline });
    if (request.prefersBackground && ports.background !== undefined)
      respond.sendAccepted(await ports.background.accept(input, request.principal));
    else {
      const slot = await acquireSlot(input, request.shareCaller, deadline, ports);
      const document = await makeDocument(input, slot, ports.runPorts);
      await respond.sendDocument(document);
    }
  } catch (error) {
    // A client that has disconnected receives no error.
    if (!request.signal.aborted) throw error;
  } finally {
    deadline.clear();
  }
}

/** The stages between the slot and the response. The slot is released when the document is complete, or on failure. */
async function makeDocument(input: RunInput, slot: RunSlot, ports: RunPorts): Promise<ReportDocument> {
  let prepared: PreparedRun | undefined;
  const end = (outcome: 'ok' | 'error'): void => {
    prepared?.release();
    slot.release(outcome);
  };
  try {
    prepared = await prepareRun(input, ports);
    const document = await recordedDocument(prepared, input, ports);
    return { ...document, content: measured(document.content, end) };
  } catch (error) {
    end('error');
    throw error;
  }
}

async function recordedDocument(prepared: PreparedRun, input: RunInput, ports: RunPorts): Promise<ReportDocument> {
  const execution = await beginExecution(prepared, input, ports);
  return execution.recording(await execution.during(() => renderDocument(prepared, input, ports)));
}

/** Yields the pieces of a document; calls `end` with the outcome, also where the reader stops early. */
async function* measured(
  content: AsyncGenerator<DocumentPiece>,
  end: (outcome: 'ok' | 'error') => void,
): AsyncGenerator<DocumentPiece> {
  let outcome: 'ok' | 'error' = 'error';
  try {
    yield* content;
    outcome = 'ok';
  } finally {
    end(outcome);
  }
}

/** The right to read reports is checked before anything is looked up. */
const authorizeCaller = (request: RunRequest): void => assertReadable('report_Report', request);

const toRunInput = (
  runId: string,
  request: RunRequest,
  { report, body, deadline }: { readonly report: LoadedReport; readonly body: string; readonly deadline: RunDeadline },
): RunInput => ({
  runId,
  report,
  reportInPath: request.reportInPath,
  body,
  subjectToken: request.subjectToken,
  username: request.principal.username,
  timeZone: timeZoneOf(request.principal),
  access: request.access,
  locale: request.locale,
  checkNames: request.checkNames,
  signal: AbortSignal.any([request.signal, deadline.signal]),
});

interface RunSlot {
  /** Ends the run: its slot, its time limit and its measurement. */
  readonly release: (outcome: 'ok' | 'error') => void;
}

/** Waits until the run may begin. A client that reads its document slowly uses no slot: it ends with the rendering. */
async function acquireSlot(
  { signal }: RunInput,
  shareCaller: string,
  deadline: RunDeadline,
  { runs, runPorts }: RunReportPorts,
): Promise<RunSlot> {
  const slot = await runs.take(shareCaller, 'ordinary', signal);
  const endMeasurement = runPorts.measured.begin('direct');
  return {
    release(outcome) {
      deadline.clear();
      slot.end();
      endMeasurement(outcome);
    },
  };
}
