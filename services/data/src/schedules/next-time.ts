import type { JobDefinition } from '@lintel/application';
import { StartError } from '@lintel/errors';
import { PgBoss } from 'pg-boss';

/** Reads schedules with the rules by which they become due; it has no database. */
const READER = new PgBoss({ schema: 'job', db: { executeSql: async () => ({ rows: [] }) } });

/**
 * The first time after `from` at which the schedule of a job is due; undefined for a job without a schedule, and for one
 * that is never due.
 *
 * @throws StartError for a schedule that cannot be read
 */
export function nextTimeOf({ name, options }: Pick<JobDefinition, 'name' | 'options'>, from: Date): Date | undefined {
  const { schedule, timeZone = 'UTC' } = options;
  if (schedule === undefined) return undefined;
  try {
    return READER.previewSchedule(schedule, { tz: timeZone, from, count: 1 })[0];
  } catch (error) {
    throw new StartError(`Job ${name}: schedule: ${error instanceof Error ? error.message : String(error)}`);
  }
}
