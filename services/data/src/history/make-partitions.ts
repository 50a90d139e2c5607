import type { Database } from '@lintel/persistence';
import type { Logger } from '@lintel/telemetry';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Months after the present one that have partitions. */
const MONTHS = 2;

/** Makes the partitions of the history for the next months, at the start and every day. */
export function startPartitions(database: Pick<Database, 'query'>, logger: Pick<Logger, 'error'>) {
  let timer: NodeJS.Timeout | undefined;
  const make = async (): Promise<void> => {
    try {
      await database.query({ text: 'SELECT history.make_partitions($1)', values: [MONTHS] });
    } catch (error) {
      // Rows go to the default partition until it succeeds.
      logger.error({ err: error }, 'the partitions of the history were not made');
    }
  };
  return {
    async start(): Promise<void> {
      await make();
      timer = setInterval(() => void make(), DAY_MS);
      timer.unref();
    },
    async close(): Promise<void> {
      clearInterval(timer);
    },
  };
}
