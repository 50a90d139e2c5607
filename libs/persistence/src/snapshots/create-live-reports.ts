import type { LiveValue } from '@lintel/cache';
import { createLiveSnapshot, type LiveSnapshotOptions } from './create-live-snapshot.ts';

/**
 * The reports and groups that administrators keep in the database, as they are at this moment: read at the start and
 * when they change (`data.reports.changed.v1`; attach it with `attachInvalidation`).
 *
 * @throws what the database throws when the view is not there within a minute
 */
export const createLiveReports = <R>(options: LiveSnapshotOptions<R>): Promise<LiveValue<R>> =>
  createLiveSnapshot({ name: 'reports', view: 'report.report_snapshot', event: 'data.reports.changed.v1' }, options);
