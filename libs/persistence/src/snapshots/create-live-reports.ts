import { declareCache, type LiveValue } from '@lintel/cache';
import { createLiveSnapshot, type LiveSnapshotOptions } from './create-live-snapshot.ts';

const REPORTS = declareCache({
  name: 'reports',
  holds: 'the reports, groups and templates in the database, and the templates compiled so far',
  where: ['reports'],
  keyedBy: 'one value',
  maxEntries: 1,
  invalidatedBy: ['data.reports.changed.v1'],
  staleness: 'max-staleness',
  ownWrites: 'before the response',
  whileAway: 'PostgreSQL: used until the maximum age, then 503. Loaded again after half of that age',
});

/**
 * Creates the current reports and groups that administrators store in the database. They are read at the start and when
 * they change (`data.reports.changed.v1`; attach it with `attachInvalidation`).
 *
 * @throws the error of the database when the view cannot be read within a minute
 */
export const createLiveReports = <R>(options: LiveSnapshotOptions<R>): Promise<LiveValue<R>> =>
  createLiveSnapshot(REPORTS, 'report.report_snapshot', options);
