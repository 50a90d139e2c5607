import { markdownTable } from '../report/markdown-table.ts';
import { PEERS } from './peers.ts';
import type { PeerFigures } from './run-peers.ts';

/**
 * The figures as a table of Markdown: the throughput in relation to ours, and the inverse relation of processor time,
 * PostgreSQL included; of our gateway the requests per second.
 */
export function formatPeers(figures: readonly PeerFigures[]): string {
  const operations = [...new Set(figures.map(({ operation }) => operation))];
  const systems = [...new Set(figures.map(({ system }) => system))];
  const cell = (system: PeerFigures['system'], operation: PeerFigures['operation']): string => {
    const own = figures.filter((one) => one.operation === operation);
    const ours = own.find((one) => one.system === 'gateway');
    const one = own.find((candidate) => candidate.system === system);
    if (one === undefined) return '–';
    const failed = one.failures === 0 ? '' : `, ${one.failures} failed`;
    if (ours === undefined || one === ours) return `${Math.round(one.perSecond)}/s${failed}`;
    return `${(one.perSecond / ours.perSecond).toFixed(2)}, ${(costOf(ours) / costOf(one)).toFixed(2)}${failed}`;
  };
  const rows = systems.map((system) => [aboutOf(system), ...operations.map((operation) => cell(system, operation))]);
  return markdownTable(['', ...operations], rows);
}

/** The settings of the peers as a list of Markdown. */
export const formatSettings = (): string =>
  PEERS.map(({ about, settings }) => `- **${about}**: ${settings}.`).join('\n');

const costOf = ({ ownMicros, databaseMicros }: PeerFigures): number => ownMicros + databaseMicros;

const aboutOf = (system: PeerFigures['system']): string =>
  system === 'gateway'
    ? '**Lintel** (gateway and data service)'
    : (PEERS.find(({ name }) => name === system)?.about ?? system);
