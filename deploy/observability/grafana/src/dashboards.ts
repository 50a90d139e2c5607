import { data } from './dashboards/data.ts';
import { events } from './dashboards/events.ts';
import { filesAndReports } from './dashboards/files-and-reports.ts';
import { overview } from './dashboards/overview.ts';
import { runtime } from './dashboards/runtime.ts';
import type { Dashboard } from './grafana-types.ts';

/** All dashboards. */
export const DASHBOARDS: readonly Dashboard[] = [overview, data, events, filesAndReports, runtime];

/** Where they are written to: the chart has to hold what it renders, and compose mounts the same files. */
export const DASHBOARD_FOLDER = new URL('../../../helm/lintel/dashboards/', import.meta.url);

/** The file of a dashboard: its text, which ends with a line end. */
export const fileOf = (dashboard: Dashboard) => ({
  name: `${dashboard.uid}.json`,
  text: `${JSON.stringify(dashboard, undefined, 2)}\n`,
});
