import { readdirSync, readFileSync } from 'node:fs';
import { METRICS, type MetricName, prometheusNameOf } from '@lintel/telemetry';
import { examinePromql } from '../test/examine-promql.ts';

/** The parts of Grafana's files that the tests read. */
interface Variable {
  readonly type: string;
  readonly name: string;
  readonly definition?: string;
  readonly query: unknown;
}

interface Target {
  readonly expr: string;
  readonly legendFormat?: string;
}

interface Panel {
  readonly type: string;
  readonly id: number;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets: readonly Target[];
}

interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly Variable[] };
}

const FOLDER = new URL('../../helm/lintel/dashboards/', import.meta.url);
const DASHBOARDS = readdirSync(FOLDER).map((name) => ({
  name,
  dashboard: JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as Dashboard,
}));
const titled = DASHBOARDS.map(({ dashboard }) => [dashboard.title, dashboard] as const);
const panelsOf = ({ panels }: Dashboard): readonly Panel[] => panels.filter(({ type }) => type !== 'row');

/** What Grafana asks Prometheus for: a range instead of its own variable; others are in texts only. */
const asAsked = (expr: string) => expr.replaceAll('$__rate_interval', '1m');
/** The series that the values of a variable come from, as an expression. */
const seriesOf = ({ definition = '' }: Variable) => /^label_values\((.*), (\w+)\)$/.exec(definition);

test('every file has the name of its dashboard, as Grafana exports it', () => {
  for (const { name, dashboard } of DASHBOARDS) expect(name).toBe(`${dashboard.uid}.json`);
});

describe.each(titled)('%s', (_title, dashboard) => {
  const queries = panelsOf(dashboard).flatMap(({ title, targets }) =>
    targets.map((target) => [title, target.expr, target.legendFormat ?? ''] as const),
  );

  test.each(queries)('%s asks for metrics that there are: %s', (_panel, expr, legend) => {
    const { problems, names, labels } = examinePromql(asAsked(expr));
    expect(problems).toEqual([]);
    expect(names.length).toBeGreaterThan(0);
    // The legend distinguishes the series by all labels that the expression keeps.
    const named = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);
    for (const label of named) expect([...(labels ?? [])]).toContain(label);
    for (const label of [...(labels ?? [])].filter((each) => each !== 'job')) expect(named).toContain(label);
  });

  test('variables are those that are used, and their values are those of labels that there are', () => {
    const variables = dashboard.templating.list;
    const text = JSON.stringify([dashboard.panels, variables.map(({ query }) => query)]);
    const used = new Set([...text.matchAll(/\$(\w+)/g)].map(([, name]) => name));
    expect([...used].sort()).toEqual(['__rate_interval', ...variables.map(({ name }) => name)].sort());
    for (const variable of variables.filter(({ type }) => type === 'query')) {
      const [, series = '', label = ''] = seriesOf(variable) ?? [];
      // The series of a counter may be named as they are where only their labels are asked for.
      const { problems, labels } = examinePromql(/_count|_total/.test(series) ? `rate(${series}[1m])` : series);
      expect(problems).toEqual([]);
      expect([...(labels ?? [])]).toContain(label);
    }
  });

  test('every panel has a title, a number and a position of its own', () => {
    const { panels } = dashboard;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    for (const { title } of panelsOf(dashboard)) expect(title.length).toBeGreaterThan(3);
    const positions = panels.map(({ gridPos }) => gridPos);
    for (const [index, { x, y, w, h }] of positions.entries()) {
      expect(x >= 0 && x + w <= 24 && Number.isInteger(w) && h > 0).toBe(true);
      const covered = positions
        .slice(index + 1)
        .filter((b) => x < b.x + b.w && b.x < x + w && y < b.y + b.h && b.y < y + h);
      expect(covered).toEqual([]);
    }
  });

  test('its queries distinguish installations by the job', () => {
    for (const [, expr] of queries) expect(expr.match(/\{/g)?.length).toBe(expr.match(/\{job="\$job"/g)?.length);
  });
});

test('every metric is on one of them', () => {
  const shown = DASHBOARDS.flatMap(({ dashboard }) => panelsOf(dashboard))
    .flatMap(({ targets }) => targets)
    .flatMap(({ expr }) => examinePromql(asAsked(expr)).names);
  const plain = new Set(shown.map((name) => name.replace(/_(bucket|sum|count)$/, '')));
  // The name of this gauge ends like that of a histogram's series.
  plain.add(shown.find((name) => name === 'db_client_connection_count') ?? '');
  const names = Object.keys(METRICS).map((name) => prometheusNameOf(name as MetricName));
  expect(names.filter((name) => !plain.has(name))).toEqual([]);
});

test('addresses are different, and all are found by the same tag', () => {
  expect(new Set(DASHBOARDS.map(({ dashboard }) => dashboard.uid)).size).toBe(DASHBOARDS.length);
  for (const { dashboard } of DASHBOARDS) {
    const { uid, tags } = dashboard;
    expect(uid).toMatch(/^[a-z-]{1,40}$/);
    expect(tags).toEqual(['lintel']);
  }
});
