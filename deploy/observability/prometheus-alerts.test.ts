import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { examinePromql } from './test/examine-promql.ts';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string };
}

const { groups } = parse(readFileSync(new URL('./prometheus-alerts.yml', import.meta.url), 'utf8')) as {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules).map((rule) => [rule.alert, rule] as const);

test.each(rules)('%s asks for metrics that there are, with their labels', (_, rule) => {
  const { problems, names } = examinePromql(rule.expr);
  expect(problems).toEqual([]);
  expect(names.length).toBeGreaterThan(0);
});

test.each(rules)('%s names the labels that its expression keeps', (_, rule) => {
  const named = [...rule.annotations.summary.matchAll(/\$labels\.(\w+)/g)].map(([, label = '']) => label);
  const { labels } = examinePromql(rule.expr);
  for (const label of named) expect([...(labels ?? [])]).toContain(label);
});
