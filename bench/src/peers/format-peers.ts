import { PEERS } from './peers.ts';
import type { PeerFigures } from './run-peers.ts';

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/**
 * The figures as a table of Markdown, our gateway first in each operation. `to ours` is the throughput in relation to
 * ours, `by CPU` the inverse relation of processor time, PostgreSQL included.
 */
export function formatPeers(figures: readonly PeerFigures[]): string {
  const operations = [...new Set(figures.map(({ operation }) => operation))];
  const lines = operations.flatMap((operation) => {
    const own = figures.filter((one) => one.operation === operation);
    const ours = own.find(({ system }) => system === 'gateway');
    return own.map((one, at) =>
      row(
        at === 0 ? `**${operation}**` : '',
        aboutOf(one.system),
        `${Math.round(one.perSecond)}${one.failures === 0 ? '' : `, ${one.failures} failed`}`,
        ours === undefined ? '' : (one.perSecond / ours.perSecond).toFixed(2),
        ours === undefined ? '' : (costOf(ours) / costOf(one)).toFixed(2),
        `${one.p50Ms.toFixed(1)} / ${one.p99Ms.toFixed(1)}`,
        `${Math.round(one.ownMicros)} + ${Math.round(one.databaseMicros)}`,
        String(Math.round(one.rssMiB)),
      ),
    );
  });
  return [
    row('Operation', 'System', 'req/s', 'to ours', 'by CPU', 'p50 / p99 ms', 'CPU µs per request', 'MiB'),
    row('---', '---', '---:', '---:', '---:', '---:', '---:', '---:'),
    ...lines,
  ].join('\n');
}

/** The settings of the peers as a list of Markdown. */
export const formatSettings = (): string =>
  PEERS.map(({ about, settings }) => `- **${about}**: ${settings}.`).join('\n');

const costOf = ({ ownMicros, databaseMicros }: PeerFigures): number => ownMicros + databaseMicros;

const aboutOf = (system: PeerFigures['system']): string =>
  system === 'gateway'
    ? '**Lintel** (gateway and data service)'
    : (PEERS.find(({ name }) => name === system)?.about ?? system);
