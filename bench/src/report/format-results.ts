import { cpuShareOf } from '../measure/cpu-share.ts';
import type { SystemResult } from '../measure/run-record.ts';
import { type ServerName, SYSTEMS } from '../systems.ts';
import { meets, targetOf } from '../targets.ts';
import type { LimitCheck } from './check-limits.ts';
import { markdownTable } from './markdown-table.ts';
import type { RecordedRun } from './recorded-run.ts';

/** The results as a table of Markdown. */
export function formatFigures(results: RecordedRun['operations']): string {
  const rows = results.flatMap(({ operation, about, systems }) =>
    systems.map((result, at) => {
      const [reference = result] = systems;
      return [
        at === 0 ? `**${operation}** ${about}` : '',
        SYSTEMS[result.system as ServerName].about,
        String(Math.round(result.perSecond)),
        result.ratio.toFixed(2),
        cpuShareOf(result, reference)?.toFixed(2) ?? '',
        formatTarget(operation, result),
        `${result.p50Ms.toFixed(1)} / ${result.p99Ms.toFixed(1)}`,
        Object.entries(result.cpuMicrosPerRequest)
          .map(([name, micros]) => `${name} ${Math.round(micros)}`)
          .join(', '),
      ];
    }),
  );
  const heads = ['Operation', 'System', 'req/s', 'to (c)', 'by CPU', 'target', 'p50 / p99 ms', 'CPU µs per request'];
  return markdownTable(heads, rows, 2);
}

/** The target of a system with a mark whether it came near enough, as `0.85 ✓`; empty where it has none. */
export function formatTarget(operation: string, { system, ratio }: SystemResult): string {
  const target = targetOf(system, operation);
  return target === undefined ? '' : `${target.toFixed(2)} ${meets(ratio, target, operation) ? '✓' : '✗'}`;
}

/** The checks of limits as a table of Markdown. */
export const formatLimits = (checks: readonly LimitCheck[]): string =>
  markdownTable(
    ['Limit', 'measured', 'at most', ''],
    checks.map(({ what, measured, limit, unit, isKept }) => [
      what,
      `${Math.round(measured * 10) / 10} ${unit}`.trim(),
      `${limit} ${unit}`.trim(),
      isKept ? '✓' : '✗',
    ]),
  );
