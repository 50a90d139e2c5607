import { cpuShareOf } from '../measure/cpu-share.ts';
import type { SystemResult } from '../measure/run-record.ts';
import type { OperationResult } from '../run-bench.ts';
import { type ServerName, SYSTEMS } from '../systems.ts';
import { formatJudgement, judgeTarget } from './judge-target.ts';

const HEAD = ['', 'req/s', 'to (c)', 'by CPU', 'target', 'p50 ms', 'p99 ms', 'CPU µs per request', 'RSS MiB', 'failed'];

/** Columns whose cells begin at the left. */
const TEXT_COLUMNS = new Set([0, HEAD.indexOf('CPU µs per request')]);

/** The results as text for people. */
export function formatTable(results: readonly OperationResult[]): string {
  return results.map(formatOperation).join('\n\n');
}

function formatOperation({ operation, about, systems }: OperationResult): string {
  const rows = [HEAD, ...systems.map((result) => rowOf(operation, result, systems))];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) =>
        TEXT_COLUMNS.has(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
  return [`${operation}  ${about}`, ...lines.map((line) => `  ${line}`)].join('\n');
}

function rowOf(operation: string, result: SystemResult, systems: readonly SystemResult[]): readonly string[] {
  const { system, ratio } = result;
  const [reference = result] = systems;
  return [
    SYSTEMS[system as ServerName].about,
    String(Math.round(result.perSecond)),
    ratio.toFixed(2),
    cpuShareOf(result, reference)?.toFixed(2) ?? '',
    formatJudgement(judgeTarget(operation, result)),
    result.p50Ms.toFixed(1),
    result.p99Ms.toFixed(1),
    Object.entries(result.cpuMicrosPerRequest)
      .map(([name, micros]) => `${name} ${Math.round(micros)}`)
      .join(', '),
    Object.values(result.rssMiB)
      .map((mebibytes) => Math.round(mebibytes))
      .join(' + '),
    String(result.failures),
  ];
}
