import { appendFileSync } from 'node:fs';
import type { Attack } from './attacks/attack.ts';
import type { AttackResult } from './run-attack.ts';

const MEBIBYTE = 1024 * 1024;

/** Figures of an attack, for people. */
export interface Figures {
  readonly finding: string;
  readonly title: string;
  readonly statuses: string;
  readonly slowestMs: number;
  readonly otherP99Ms: number;
  readonly otherErrors: number;
  readonly blockMs: number;
  readonly growthMb: number;
  readonly peakMb: number;
  readonly backendMb: number;
  readonly ownBlockMs: number;
  readonly problems: readonly string[];
}

/** The worst figures of an attack. */
export function figuresOf(attack: Attack, { replies, report }: AttackResult, problems: readonly string[]): Figures {
  const counts = new Map<string, number>();
  for (const { status } of replies) counts.set(String(status), (counts.get(String(status)) ?? 0) + 1);
  const worst = (of: (process: (typeof report.processes)[number]) => number): number =>
    Math.round(Math.max(0, ...report.processes.map(of)));
  return {
    finding: attack.finding,
    title: attack.title,
    statuses: [...counts].map(([status, count]) => (count === 1 ? status : `${count}×${status}`)).join(' '),
    slowestMs: Math.round(Math.max(0, ...replies.map(({ ms }) => ms))),
    otherP99Ms: Math.round(report.otherUser.p99),
    otherErrors: report.otherUser.errors.length,
    blockMs: worst(({ maxBlockMs }) => maxBlockMs),
    growthMb: worst(({ settledBytes: [before, after] }) => (after - before) / MEBIBYTE),
    peakMb: worst(({ peakBytes, settledBytes: [before] }) => (peakBytes - before) / MEBIBYTE),
    backendMb: Math.round(report.maxBackendBytes / MEBIBYTE),
    ownBlockMs: Math.round(report.ownBlockMs),
    problems,
  };
}

const COLUMNS =
  'statuses | slowest ms | other p99 ms | other errors | block ms | growth MB | peak MB | backend MB | own ms';

/** The cells of a row. */
export const rowOf = (row: Figures): string =>
  [
    `${row.problems.length === 0 ? 'kept' : 'BROKEN'} | ${row.finding} | ${row.title}`,
    ...[row.statuses, row.slowestMs, row.otherP99Ms, row.otherErrors, row.blockMs, row.growthMb, row.peakMb],
    ...[row.backendMb, row.ownBlockMs],
  ].join(' | ');

/** A table of all attacks, with the worst of each column at the end. */
export function tableOf(figures: readonly Figures[]): string {
  const worst = (of: (row: Figures) => number): number => Math.max(0, ...figures.map(of));
  return [
    `| bounds | finding | attack | ${COLUMNS} |`,
    `|${'---|'.repeat(12)}`,
    ...figures.map((row) => `| ${rowOf(row)} |`),
    `| | | worst | | ${worst(({ slowestMs }) => slowestMs)} | ${worst(({ otherP99Ms }) => otherP99Ms)} | ${worst(({ otherErrors }) => otherErrors)} | ${worst(({ blockMs }) => blockMs)} | ${worst(({ growthMb }) => growthMb)} | ${worst(({ peakMb }) => peakMb)} | ${worst(({ backendMb }) => backendMb)} | ${worst(({ ownBlockMs }) => ownBlockMs)} |`,
  ].join('\n');
}

/** Prints a table, and appends it to the file of `LINTEL_HOSTILE_REPORT` where that is set. */
export function publish(title: string, text: string): void {
  process.stdout.write(`\n${title}\n${text}\n`);
  const file = process.env['LINTEL_HOSTILE_REPORT'];
  if (file !== undefined && file !== '') appendFileSync(file, `\n## ${title}\n\n${text}\n`);
}
