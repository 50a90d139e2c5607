import { targetOf } from '../targets.ts';
import type { RecordedRun } from './recorded-run.ts';

const PANEL_WIDTH = 240;
const PANEL_HEIGHT = 150;
const COLUMNS = 4;
const MARGIN = { left: 34, right: 10, top: 26, bottom: 22 };
const HEAD = 34;

/** Lines of the plot. */
const SHOWN = [
  { system: 'data', about: 'data service', color: '#0b6bcb' },
  { system: 'data-without-listeners', about: 'without listeners', color: '#7fb5e6' },
  { system: 'gateway', about: 'gateway and data service', color: '#c2410c' },
] as const;

/**
 * The ratios to the reference of all recorded runs, oldest first: a small picture for each operation, with
 * the target of the data service as a dashed line.
 */
export function plotResults(runs: readonly RecordedRun[]): string {
  const ordered = [...runs].sort((left, right) => left.measuredAt.localeCompare(right.measuredAt));
  const operations = [...new Set(ordered.flatMap((run) => run.operations.map(({ operation }) => operation)))].sort();
  const rows = Math.ceil(operations.length / COLUMNS);
  const panels = operations.map((operation, at) => {
    const x = (at % COLUMNS) * PANEL_WIDTH;
    const y = HEAD + Math.floor(at / COLUMNS) * PANEL_HEIGHT;
    return `<g transform="translate(${x} ${y})">${panel(operation, ordered)}</g>`;
  });
  const legend = SHOWN.map(
    ({ about, color }, at) => `<text x="${330 + at * 190}" y="20" fill="${color}">● ${about}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${COLUMNS * PANEL_WIDTH}" height="${HEAD + rows * PANEL_HEIGHT}" font-family="sans-serif" font-size="11">`,
    '<title>Throughput as a share of yardstick (c)</title>',
    '<rect width="100%" height="100%" fill="white"/>',
    '<text x="10" y="20" font-size="14">Throughput as a share of yardstick (c)</text>',
    ...legend,
    ...panels,
    '</svg>\n',
  ].join('\n');
}

function panel(operation: string, runs: readonly RecordedRun[]): string {
  const ratios = (system: string): readonly (number | undefined)[] =>
    runs.map(
      (run) =>
        run.operations.find((one) => one.operation === operation)?.systems.find((one) => one.system === system)?.ratio,
    );
  const target = targetOf('data', operation);
  const highest =
    Math.max(1, target ?? 0, ...SHOWN.flatMap(({ system }) => ratios(system).map((ratio) => ratio ?? 0))) * 1.1;
  const width = PANEL_WIDTH - MARGIN.left - MARGIN.right;
  const height = PANEL_HEIGHT - MARGIN.top - MARGIN.bottom;
  const x = (at: number): string =>
    (MARGIN.left + (runs.length < 2 ? width / 2 : (at / (runs.length - 1)) * width)).toFixed(1);
  const y = (ratio: number): string => (MARGIN.top + height * (1 - ratio / highest)).toFixed(1);
  const level = (ratio: number, color: string, dash: string): string =>
    `<line x1="${MARGIN.left}" x2="${MARGIN.left + width}" y1="${y(ratio)}" y2="${y(ratio)}" stroke="${color}" stroke-dasharray="${dash}"/><text x="4" y="${Number(y(ratio)) + 4}" fill="${color}">${ratio.toFixed(2)}</text>`;
  const lines = SHOWN.map(({ system, color }) => {
    const points = ratios(system).flatMap((ratio, at) => (ratio === undefined ? [] : [{ x: x(at), y: y(ratio) }]));
    const path = points.map((point) => `${point.x},${point.y}`).join(' ');
    const dots = points.map((point) => `<circle cx="${point.x}" cy="${point.y}" r="2.5" fill="${color}"/>`).join('');
    return `<polyline points="${path}" fill="none" stroke="${color}"/>${dots}`;
  });
  const first = runs[0]?.commit ?? '';
  const last = runs.length > 1 ? (runs.at(-1)?.commit ?? '') : '';
  return [
    `<text x="${MARGIN.left}" y="16" font-weight="bold">${operation}</text>`,
    level(1, '#999', '1 3'),
    target === undefined || target === 1 ? '' : level(target, '#2a7d2a', '5 4'),
    ...lines,
    `<text x="${MARGIN.left}" y="${PANEL_HEIGHT - 8}" fill="#666">${first}</text>`,
    `<text x="${PANEL_WIDTH - MARGIN.right}" y="${PANEL_HEIGHT - 8}" fill="#666" text-anchor="end">${last}</text>`,
  ].join('');
}
