import { readFileSync } from 'node:fs';
import { METRICS, type MetricName, type MetricRow, plainName, prometheusNameOf } from '@lintel/telemetry';
import { parse } from 'yaml';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string };
}

const { groups } = parse(readFileSync(new URL('./prometheus-alerts.yml', import.meta.url), 'utf8')) as {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);

interface Series {
  readonly type: MetricRow['type'];
  readonly labels: ReadonlySet<string>;
}

/** What Prometheus adds to every series of a job. */
const TARGET = ['job', 'instance'];
const SUFFIXES = { counter: [''], gauge: [''], histogram: ['_bucket', '_sum', '_count'] } as const;

const known = new Map<string, Series>([['up', { type: 'gauge', labels: new Set(TARGET) }]]);
for (const [name, row] of Object.entries(METRICS) as [MetricName, MetricRow][])
  for (const suffix of SUFFIXES[row.type]) {
    const labels = [...TARGET, ...row.labels.map(plainName), ...(suffix === '_bucket' ? ['le'] : [])];
    known.set(prometheusNameOf(name) + suffix, { type: row.type, labels: new Set(labels) });
  }

const WORDS = new Set(['by', 'avg_over_time', 'histogram_quantile', 'increase', 'max', 'min_over_time', 'rate', 'sum']);

/** The series that an expression asks for, with the labels of their matchers, and the functions right around them. */
function seriesOf(expr: string) {
  const found: { readonly name: string; readonly labels: readonly string[]; readonly within: string }[] = [];
  const bare = expr.replace(/\bby\s*\([^)]*\)/g, '').replace(/\[\w+\]/g, '');
  for (const [, within = '', name = '', matchers = ''] of bare.matchAll(
    /(?:(\w+)\()?\s*\b([a-z]\w*)\b(?!\s*\()(\{[^}]*\})?/g,
  )) {
    if (WORDS.has(name)) continue;
    found.push({ name, labels: [...matchers.matchAll(/(\w+)\s*=~?/g)].map(([, label = '']) => label), within });
  }
  return found;
}

const labelsOfGrouping = (expr: string): readonly string[] =>
  [...expr.matchAll(/\bby\s*\(([^)]*)\)/g)].flatMap(([, labels = '']) =>
    labels.split(',').map((label) => label.trim()),
  );

test.each(rules.map((rule) => [rule.alert, rule] as const))(
  '%s asks for metrics that there are, with their labels',
  (_, rule) => {
    const series = seriesOf(rule.expr);
    expect(series.length).toBeGreaterThan(0);
    for (const { name, labels, within } of series) {
      const of = known.get(name);
      if (of === undefined) throw new Error(`${rule.alert} asks for ${name}, which no process has`);
      for (const label of [...labels, ...labelsOfGrouping(rule.expr)])
        if (!of.labels.has(label)) throw new Error(`${rule.alert} asks for the label ${label}, which ${name} has not`);
      // What only grows is looked at by its growth, and nothing else is.
      expect([rule.alert, name, ['rate', 'increase'].includes(within)]).toEqual([
        rule.alert,
        name,
        of.type !== 'gauge',
      ]);
    }
  },
);

test.each(rules.map((rule) => [rule.alert, rule] as const))(
  '%s tells what its expression leaves of the labels',
  (_, rule) => {
    const told = [...rule.annotations.summary.matchAll(/\$labels\.(\w+)/g)].map(([, label = '']) => label);
    const isAggregated = /^\s*(sum|max|histogram_quantile)\b/.test(rule.expr);
    const left = isAggregated
      ? labelsOfGrouping(rule.expr)
      : [...(known.get(seriesOf(rule.expr)[0]?.name ?? '')?.labels ?? [])];
    for (const label of told) expect(left).toContain(label);
  },
);

test('an expression with a metric or label that does not exist would be found', () => {
  expect(seriesOf('rate(lintel_gone_total{kind="a"}[5m]) > 1')).toEqual([
    { name: 'lintel_gone_total', labels: ['kind'], within: 'rate' },
  ]);
});
