import { type Application, type JobDefinition, job } from '@lintel/application';
import { hasRecords, RECORDS_JOB } from '@lintel/entities';
import { entitiesWithRetention, pruneHistory } from '@lintel/history';
import type { Database } from '@lintel/persistence';

/** Months after the present one that have partitions. */
const MONTHS = 2;

/**
 * The job of recorded changes and reads (contract/history.md#retention). Rows of a month without a partition are in the
 * default one, from which the job moves them.
 */
export const recordsJobs = (application: Pick<Application, 'model'>, database: Database): readonly JobDefinition[] =>
  hasRecords(application)
    ? [
        job(RECORDS_JOB.name, RECORDS_JOB.options, async ({ signal, log }) => {
          const { model } = application;
          await database.query({ text: 'SELECT history.make_partitions($1)', values: [MONTHS] }, signal);
          const entities = entitiesWithRetention(model);
          if (entities.length === 0) return;
          const { months, entries } = await pruneHistory(database, model, { entities, signal });
          log.info(`${entries} entries are past their retention; months: ${months.join(', ') || 'none'}`);
        }),
      ]
    : [];
