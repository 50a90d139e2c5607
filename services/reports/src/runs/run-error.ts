import type { ReportDefinition } from '@lintel/application';
import { ReportFailure } from '@lintel/documents';
import { isPlatformError, PlatformError } from '@lintel/errors';

/** The run exceeded its time limit. Reason of the run's signal. */
export class RunDeadlineError extends Error {
  constructor(limitMs: number) {
    super(`The report did not finish within ${Math.round(limitMs / 1000)} seconds`);
    this.name = 'RunDeadlineError';
  }
}

/**
 * Converts the error of a run to the error for the client (contract/reports.md#check-order): with the messages for the
 * client, the first one with the report's name. Other causes are only logged.
 */
export function toRunError(error: unknown, report: ReportDefinition): PlatformError {
  if (isPlatformError(error)) return error as PlatformError;
  if (error instanceof RunDeadlineError)
    return new PlatformError('DATA_TIMEOUT', error.message, { error: 'Run report error', cause: error });
  const messages: string[] = [];
  for (let next: unknown = error; next instanceof ReportFailure; next = next.cause) messages.push(next.message);
  const [first = 'The report cannot be made.', ...others] = messages;
  const details = [`${first} Report name [${report.name}]`, ...others].join('\n');
  return new PlatformError('REPORT_RUN_FAILED', details, { cause: error });
}
