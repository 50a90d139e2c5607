import type { ReportParameterValue, ReportRow } from '@lintel/application';
import type { Database } from '@lintel/persistence';
import type { Logger } from '@lintel/telemetry';
import { createPeriodicTask } from '@lintel/timing';
import type { DocumentStore } from '../files/document-store.ts';
import type { ExecutionEnd, ExecutionHistory, NewExecution } from './execution-history.ts';

export interface HistoryOptions {
  readonly database: Pick<Database, 'query'>;
  readonly documents: Pick<DocumentStore, 'remove'>;
  readonly newId: () => string;
  readonly logger: Pick<Logger, 'warn'>;
  readonly savesDocuments: boolean;
  /** Executions that began longer ago are removed; 0 means no limit. */
  readonly maxDays: number;
  /** Maximum number of executions of a report; older ones are removed; 0 means no limit. */
  readonly maxPerReport: number;
}

/** The history in the database, which removes old executions. */
export interface StoredExecutionHistory extends ExecutionHistory {
  /** Removes executions that are too old or too many, with their documents; returns their number. */
  cleanUp(): Promise<number>;
  /** Cleans up periodically. */
  start(): void;
  /** Stops cleaning up; waits for a removal that is running. */
  stop(): Promise<void>;
}

const CLEAN_UP_INTERVAL_MS = 60 * 60_000;
const REMOVE_BATCH = 200;
const NOW = "now() AT TIME ZONE 'UTC'";

const BEGIN = `INSERT INTO report.report_execution (id, report_name, report_code, username, start_time, params)
VALUES ($1, $2, $3, $4, ${NOW}, $5)`;
const END = `UPDATE report.report_execution
SET finish_time = ${NOW}, success = $2, cancelled = $3, error_message = $4, output_document = $5 WHERE id = $1`;
const OUTDATED = `SELECT id, output_document FROM (
  SELECT id, output_document, start_time,
    row_number() OVER (PARTITION BY report_code, report_name ORDER BY start_time DESC, id) AS rank
  FROM report.report_execution
) e
WHERE ($1::integer > 0 AND start_time < ${NOW} - $1::integer * interval '1 day')
  OR ($2::integer > 0 AND rank > $2::integer)
LIMIT ${REMOVE_BATCH}`;
const REMOVE = 'DELETE FROM report.report_execution WHERE id = ANY ($1::uuid[])';

export function createExecutionHistory(options: HistoryOptions): StoredExecutionHistory {
  const { database, documents, logger, maxDays, maxPerReport } = options;

  const cleanUp = async (): Promise<number> => {
    for (let removed = 0; ; ) {
      const rows = await database.query<{ id: string; output_document: string | null }>({
        name: 'lintel_report_history_outdated',
        text: OUTDATED,
        values: [maxDays, maxPerReport],
      });
      // The document is removed first: a file without an execution would never be removed.
      for (const { output_document: document } of rows) if (document !== null) await documents.remove(document);
      await database.query({ name: 'lintel_report_history_remove', text: REMOVE, values: [rows.map(({ id }) => id)] });
      removed += rows.length;
      if (rows.length < REMOVE_BATCH) return removed;
    }
  };
  const cleaning = createPeriodicTask(cleanUp, CLEAN_UP_INTERVAL_MS, (err) =>
    logger.warn({ err }, 'Old report executions could not be removed; trying again'),
  );

  return {
    savesDocuments: options.savesDocuments,
    async begin(execution) {
      const id = options.newId();
      await database.query({ name: 'lintel_report_history_begin', text: BEGIN, values: valuesOf(id, execution) });
      return {
        async end(how) {
          await database.query({ name: 'lintel_report_history_end', text: END, values: [id, ...columnsOf(how)] });
        },
      };
    },
    cleanUp,
    start: () => cleaning.start(),
    stop: () => cleaning.stop(),
  };
}

const valuesOf = (id: string, { report, username, parameters }: NewExecution): readonly unknown[] => [
  id,
  report.name,
  report.code ?? null,
  username,
  Object.entries(parameters)
    .map(([alias, value]) => `key: ${alias}, value: ${textOf(value)}`)
    .join('\n'),
];

function columnsOf(how: ExecutionEnd): readonly unknown[] {
  switch (how.kind) {
    case 'succeeded':
      return [true, false, null, how.document ?? null];
    case 'failed':
      return [false, false, how.message, null];
    case 'cancelled':
      return [false, true, null, null];
    default:
      return how satisfies never;
  }
}

/** Instances as `<entity>-<id>`. */
function textOf(value: ReportParameterValue): string {
  if (Array.isArray(value)) return `[${value.map((each) => textOf(each)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const { _entityName: entity, id } = value as ReportRow;
  return `${String(entity)}-${typeof id === 'object' ? JSON.stringify(id) : String(id)}`;
}
