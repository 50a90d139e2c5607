import type { Execution, ExecutionEnd } from '../../history/execution-history.ts';
import { endOnRecord, recordDocument } from '../../history/record-document.ts';
import type { PreparedRun } from '../preparation/prepare-run.ts';
import type { RunInput, RunPorts } from '../preparation/run-input.ts';
import { RunDeadlineError, toRunError } from '../run-error.ts';
import type { ReportDocument } from './render-document.ts';

/** The execution of a run in the history (contract/reports.md#history). */
export interface RunExecution {
  /** Runs a stage of the run; where it fails, the failure is the recorded end. */
  during<T>(stage: () => Promise<T>): Promise<T>;
  /** Returns the document; its end is the recorded end, and a copy of it is stored where the history saves documents. */
  recording(document: ReportDocument): ReportDocument;
  /** Records the success of a run whose document was stored already. */
  succeed(fileRef: string): Promise<void>;
}

/** Records the begin of an execution. */
export async function beginExecution(
  { parameters }: PreparedRun,
  input: RunInput,
  ports: RunPorts,
): Promise<RunExecution> {
  const { report, username } = input;
  const { history, logger } = ports;
  const { name, code } = report.definition;
  const execution = await history.begin({ report: { name, code }, username, parameters });
  return {
    async during(stage) {
      try {
        return await stage();
      } catch (error) {
        await endOnRecord(execution, endOf(error, input), logger);
        throw error;
      }
    },
    recording: (document) => recording(document, execution, input, ports),
    succeed: (fileRef) =>
      endOnRecord(execution, { kind: 'succeeded', document: history.savesDocuments ? fileRef : undefined }, logger),
  };
}

function recording(document: ReportDocument, execution: Execution, input: RunInput, ports: RunPorts): ReportDocument {
  const { history, documents, serviceTokens, logger } = ports;
  const { fileName: name, contentType } = document;
  const token = serviceTokens.forRun(input.subjectToken, input.runId);
  const save =
    history.savesDocuments && documents !== undefined
      ? async (content: AsyncIterable<Uint8Array>): Promise<string> =>
          (await documents.store({ name, contentType, content }, token, input.signal)).fileRef
      : undefined;
  const content = recordDocument(document.content, execution, { save, endOf: (error) => endOf(error, input), logger });
  return { ...document, content };
}

/** The recorded end of a run that failed with `error`; without its client it counts as cancelled. */
function endOf(error: unknown, { report, signal }: RunInput): ExecutionEnd {
  if (signal.aborted && !(signal.reason instanceof RunDeadlineError)) return { kind: 'cancelled' };
  const { error: what, details } = toRunError(error, report.definition);
  return { kind: 'failed', message: details === '' ? what : details };
}
