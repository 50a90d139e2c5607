import type { ReportParameters } from '@lintel/application';

/** The record of an execution that begins. */
export interface NewExecution {
  readonly report: { readonly name: string; readonly code: string | undefined };
  readonly username: string;
  readonly parameters: ReportParameters;
}

/** How an execution ended. */
export type ExecutionEnd =
  | { readonly kind: 'succeeded'; readonly document: string | undefined }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'cancelled' };

/** A recorded execution. */
export interface Execution {
  end(how: ExecutionEnd): Promise<void>;
}

/** Records executions as `report_ReportExecution` (contract/reports.md#history). */
export interface ExecutionHistory {
  /** Whether documents are stored with their executions. */
  readonly savesDocuments: boolean;
  /** Records an execution; the record is stored before this resolves. */
  begin(execution: NewExecution): Promise<Execution>;
}

/** `svc.reports.history-recording-enabled` is off. */
export const NO_HISTORY: ExecutionHistory = Object.freeze({
  savesDocuments: false,
  begin: () => Promise.resolve({ end: () => Promise.resolve() }),
});
