import type { ReportParameters } from '@lintel/application';

/** What is recorded when an execution begins. */
export interface BeginningExecution {
  readonly report: { readonly name: string; readonly code: string | undefined };
  readonly username: string;
  readonly parameters: ReportParameters;
}

/** How an execution ended. */
export type ExecutionEnd =
  | { readonly kind: 'succeeded'; readonly document: string | undefined }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'cancelled' };

/** An execution that is on record. */
export interface Execution {
  end(how: ExecutionEnd): Promise<void>;
}

/** The record of executions, `report_ReportExecution` (contract/reports.md#history). */
export interface ExecutionHistory {
  /** Whether documents are to be kept with their executions. */
  readonly savesDocuments: boolean;
  /** Records an execution; it is there whatever becomes of this process. */
  begin(execution: BeginningExecution): Promise<Execution>;
}

/** `svc.reports.history-recording-enabled` is off. */
export const NO_HISTORY: ExecutionHistory = Object.freeze({
  savesDocuments: false,
  begin: () => Promise.resolve({ end: () => Promise.resolve() }),
});
