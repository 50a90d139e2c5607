import { medianOf } from '../measure/statistics.ts';
import { FORWARDERS } from './forwarders.ts';
import type { ForwarderCost } from './run-forwarders.ts';

/** The costs as a table of Markdown: medians, and the smallest and the largest value. */
export function formatCosts(costs: readonly ForwarderCost[]): string {
  const operations = [...new Set(costs.map(({ operation }) => operation))];
  const rows = FORWARDERS.flatMap((forwarder) => {
    const own = operations.map((operation) =>
      costs.find((cost) => cost.operation === operation && cost.forwarder === forwarder),
    );
    if (own.every((cost) => cost === undefined)) return [];
    return [
      `| ${forwarder.about} | ${own.map((cost) => (cost === undefined ? '' : describe(cost.micros))).join(' | ')} |`,
    ];
  });
  const head = `| CPU µs per request | ${operations.join(' | ')} |\n| --- |${operations.map(() => ' ---: |').join('')}`;
  return [head, ...rows].join('\n');
}

const describe = (micros: readonly number[]): string =>
  `${Math.round(medianOf(micros))} (${Math.round(Math.min(...micros))}–${Math.round(Math.max(...micros))})`;
