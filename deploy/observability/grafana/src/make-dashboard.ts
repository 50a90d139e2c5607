import type { Dashboard, Panel, RowPanel, Variable } from './grafana-types.ts';
import { DATA_SOURCE, type UnplacedPanel } from './panels.ts';

/** A dashboard as it is written down: rows of panels, each as wide as the others of its row. */
export interface DashboardSketch {
  /** Part of its address; keep it. */
  readonly uid: string;
  readonly title: string;
  readonly description: string;
  /** Variables besides those that all have: `$datasource`, `$job` and `$instance`. */
  readonly variables?: readonly Variable[];
  /** Rows by their titles; each holds lines of panels. */
  readonly rows: Readonly<Record<string, readonly (readonly UnplacedPanel[])[]>>;
}

const COLUMNS = 24;
const HEIGHTS = { stat: 4, timeseries: 8 } as const;

/** A variable whose values are those of a label. */
export function labelVariable(
  name: string,
  label: string,
  series: string,
  more: Pick<Variable, 'multi' | 'includeAll' | 'allValue' | 'current'>,
): Variable {
  const query = `label_values(${series}, ${label})`;
  return {
    type: 'query',
    name,
    label: name,
    datasource: DATA_SOURCE,
    query: { query, refId: name },
    definition: query,
    // With each change of the time range, alphabetically.
    refresh: 2,
    sort: 1,
    ...more,
  };
}

const VARIABLES: readonly Variable[] = [
  { type: 'datasource', name: 'datasource', label: 'data source', query: 'prometheus' },
  labelVariable('job', 'job', 'process_uptime_seconds', { current: { text: 'lintel', value: 'lintel' } }),
  labelVariable('instance', 'instance', 'process_uptime_seconds{job="$job"}', {
    multi: true,
    includeAll: true,
    allValue: '.*',
    current: { text: 'All', value: '$__all' },
  }),
];

function arrange(rows: DashboardSketch['rows']): readonly (Panel | RowPanel)[] {
  const panels: (Panel | RowPanel)[] = [];
  let y = 0;
  for (const [title, lines] of Object.entries(rows)) {
    const gridPos = { x: 0, y, w: COLUMNS, h: 1 };
    panels.push({ type: 'row', id: panels.length + 1, title, collapsed: false, panels: [], gridPos });
    y += 1;
    for (const line of lines) {
      const w = COLUMNS / line.length;
      const h = Math.max(...line.map(({ type }) => HEIGHTS[type]));
      for (const [index, panel] of line.entries())
        panels.push({ ...panel, id: panels.length + 1, gridPos: { x: index * w, y, w, h } } as Panel);
      y += h;
    }
  }
  return panels;
}

/** The dashboard as Grafana reads it. */
export function makeDashboard({ uid, title, description, variables = [], rows }: DashboardSketch): Dashboard {
  return {
    uid,
    title,
    description,
    tags: ['lintel'],
    timezone: 'browser',
    // One cross-hair for all panels.
    graphTooltip: 1,
    time: { from: 'now-1h', to: 'now' },
    refresh: '30s',
    schemaVersion: 39,
    links: [
      {
        type: 'dashboards',
        title: 'Lintel',
        tags: ['lintel'],
        icon: 'dashboard',
        tooltip: '',
        asDropdown: true,
        targetBlank: false,
        includeVars: true,
        keepTime: true,
      },
    ],
    annotations: { list: [] },
    templating: { list: [...VARIABLES, ...variables] },
    panels: arrange(rows),
  };
}
