import type { SystemResult } from '../measure/run-record.ts';
import { markdownTable } from '../report/markdown-table.ts';
import type { OperationResult } from '../run-bench.ts';
import { PEERS } from './peers.ts';

/**
 * The figures as a table of Markdown: the throughput in relation to ours, and the inverse relation of processor time,
 * PostgreSQL included; of our gateway the requests per second.
 */
export function formatPeers(results: readonly OperationResult[]): string {
  const names = [...new Set(results.flatMap(({ systems }) => systems.map(({ system }) => system)))];
  const rows = names.map((name) => [
    aboutOf(name),
    ...results.map(({ systems: [ours, ...others] }) => {
      const one = [ours, ...others].find((candidate) => candidate?.system === name);
      if (one === undefined || ours === undefined) return '–';
      const failed = one.failures === 0 ? '' : `, ${one.failures} failed`;
      if (one === ours) return `${Math.round(one.perSecond)}/s${failed}`;
      return `${one.ratio.toFixed(2)}, ${(costOf(ours) / costOf(one)).toFixed(2)}${failed}`;
    }),
  ]);
  return markdownTable(['', ...results.map(({ operation }) => operation)], rows);
}

/** The settings of the peers as a list of Markdown. */
export const formatSettings = (): string =>
  PEERS.map(({ about, settings }) => `- **${about}**: ${settings}.`).join('\n');

/** Processor time of all processes but the generator. */
const costOf = ({ cpuMicrosPerRequest: { generator: _, ...own } }: SystemResult): number =>
  Object.values(own).reduce((sum, micros) => sum + micros, 0);

const aboutOf = (system: string): string =>
  system === 'gateway'
    ? '**Lintel** (gateway and data service)'
    : (PEERS.find(({ name }) => name === system)?.about ?? system);
