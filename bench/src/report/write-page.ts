import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatConsole } from '../console/format-console.ts';
import type { ConsoleRun } from '../console/run-console.ts';
import { cpuShareOf } from '../measure/cpu-share.ts';
import type { GrowthPoint, GrowthRun } from '../modes/run-growth.ts';
import type { SoakRun } from '../modes/run-soak.ts';
import type { MeasuredStart, StartsRun } from '../modes/run-starts.ts';
import { formatPeers } from '../peers/format-peers.ts';
import type { PeersRun } from '../peers/run-peers.ts';
import { REFERENCE, type ServerName, SYSTEMS } from '../systems.ts';
import { LIMITS } from '../targets.ts';
import { combineLatest } from './combine-runs.ts';
import { drawCurves } from './draw-curves.ts';
import { formatJudgement, judgeTarget } from './judge-target.ts';
import { plotResults } from './plot-results.ts';
import type { Machine, RecordedRun, TreeState } from './recorded-run.ts';

/** Files of the results' folder that are no runs of the operations. */
export const GROWTH = 'growth.json';
export const SOAK = 'soak.json';
export const STANDALONE_SOAK = 'soak-standalone.json';
export const STARTS = 'starts.json';
export const PEERS_RUN = 'peers.json';
export const CONSOLE_RUN = 'console.json';
const OTHERS: ReadonlySet<string> = new Set([GROWTH, SOAK, STANDALONE_SOAK, STARTS, PEERS_RUN, CONSOLE_RUN]);

/**
 * Draws the pictures of a folder of results, and puts its figures into the page between their markers
 * (`<!-- figures -->` … `<!-- /figures -->`); what is written by hand stays.
 */
export function writePage(results: string, page: string): void {
  mkdirSync(results, { recursive: true });
  const runs = runsIn(results);
  writeFileSync(join(results, 'results.svg'), plotResults(runs));
  const growth = readResult<GrowthRun>(results, GROWTH);
  if (growth !== undefined) writeFileSync(join(results, 'growth.svg'), drawGrowth(growth));
  const soak = readResult<SoakRun>(results, SOAK);
  if (soak !== undefined) writeFileSync(join(results, 'soak.svg'), drawSoak(soak));
  const standalone = readResult<SoakRun>(results, STANDALONE_SOAK);
  if (standalone !== undefined) writeFileSync(join(results, 'soak-standalone.svg'), drawSoak(standalone));
  const starts = readResult<StartsRun>(results, STARTS);
  const parts: Readonly<Record<string, string>> = {
    figures: figuresOf(runs),
    growth:
      growth === undefined
        ? missing('npm run bench -- --growth 1,4,16')
        : section(formatGrowth(growth), 'Cost per request by data and by connections', 'growth'),
    soak:
      soak === undefined
        ? missing('npm run bench -- --soak 60m')
        : section(formatSoak(soak), 'Memory in the course of the soak', 'soak'),
    'soak-standalone':
      standalone === undefined
        ? missing('npm run bench -- --soak 60m --standalone')
        : section(
            formatSoak(standalone),
            'Memory of the process of npm start in the course of the soak',
            'soak-standalone',
          ),
    starts: starts === undefined ? missing('npm run bench -- --starts') : formatStarts(starts),
    console: consoleTable(readResult<ConsoleRun>(results, CONSOLE_RUN)),
    peers: peersTable(readResult<PeersRun>(results, PEERS_RUN)),
  };
  let text = readFileSync(page, 'utf8');
  for (const [name, part] of Object.entries(parts)) text = replacePart(text, name, part);
  writeFileSync(page, text);
}

/** Puts a text between the markers of that name. */
export function replacePart(page: string, name: string, part: string): string {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [page.indexOf(open), page.indexOf(close)];
  if (from < 0 || to < from) throw new Error(`The page has no part ${open} … ${close}`);
  return `${page.slice(0, from + open.length)}\n\n${part}\n\n${page.slice(to)}`;
}

/** Runs of the operations, oldest first. */
const runsIn = (folder: string): readonly RecordedRun[] =>
  (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => name.endsWith('.json') && !OTHERS.has(name))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as RecordedRun)
    .sort((left, right) => left.measuredAt.localeCompare(right.measuredAt));

function readResult<T>(folder: string, name: string): T | undefined {
  const file = join(folder, name);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : undefined;
}

const missing = (command: string): string => `Not measured yet: \`${command}\`.`;

/** A result with its picture. */
const section = (text: string, title: string, picture: string): string =>
  `${text}\n\n![${title}](../bench/results/${picture}.svg)`;

function describeRun({ commit, isChanged, measuredAt, machine }: TreeState & { measuredAt: string; machine: Machine }) {
  const { cpu, cpus, memoryGiB, loadBefore, node, postgres } = machine;
  const tree = `\`${commit}\`${isChanged ? ' with changes' : ''}`;
  return `Commit ${tree}, ${measuredAt.slice(0, 16).replace('T', ' ')} UTC; ${cpus} × ${cpu}, ${memoryGiB} GiB, Node ${node}, PostgreSQL ${postgres}, load before ${loadBefore}.`;
}

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function figuresOf(runs: readonly RecordedRun[]): string {
  const run = combineLatest(runs);
  if (run === undefined) return missing('npm run bench');
  const { runCount } = run;
  const lines = run.operations.flatMap(({ operation, about, systems }) => {
    const reference = systems.find(({ system }) => system === REFERENCE);
    // The page has only systems with a target: yardsticks are in the files.
    const ours = systems.filter((result) => judgeTarget(operation, result) !== undefined);
    return ours.map((result, at) =>
      row(
        at === 0 ? `**${operation}** ${about}` : '',
        SYSTEMS[result.system as ServerName]?.about ?? result.system,
        String(Math.round(result.perSecond)),
        result.ratio.toFixed(2),
        reference === undefined ? '' : (cpuShareOf(result, reference)?.toFixed(2) ?? ''),
        formatJudgement(judgeTarget(operation, result)),
      ),
    );
  });
  const limits = run.limits.map(({ what, measured, limit, unit, isKept }) =>
    row(what, `${Math.round(measured * 10) / 10} ${unit}`.trim(), `${limit} ${unit}`.trim(), isKept ? '✓' : '✗'),
  );
  return [
    `${describeRun(run)} ${runCount === 1 ? 'One run of' : `Medians of the paired ratios of ${runCount} runs of`} \`npm run bench\`.`,
    '',
    row('Operation', 'System', 'req/s', 'to (c)', 'by CPU', 'target'),
    row(...Array.from({ length: 6 }, () => '---')),
    ...lines,
    '',
    row('Limit', 'measured', 'at most', ''),
    row('---', '---:', '---:', '---'),
    ...limits,
    '',
    '![Ratios of all recorded runs](../bench/results/results.svg)',
  ].join('\n');
}

const costOf = ({ serviceMicros, databaseMicros }: GrowthPoint): number => serviceMicros + databaseMicros;

/** The cost of each operation by the amount of data and by connections. */
export function formatGrowth(run: GrowthRun): string {
  const loads = [...new Set(run.points.map(({ scale, replicas }) => `${scale} ${replicas}`))];
  const operations = [...new Set(run.points.map(({ operation }) => operation))];
  const cell = (operation: string, load: string): string => {
    const point = run.points.find((one) => one.operation === operation && `${one.scale} ${one.replicas}` === load);
    return point === undefined ? '' : `${Math.round(point.serviceMicros)} + ${Math.round(point.databaseMicros)}`;
  };
  const heads = loads.map((load) => {
    const [scale, replicas] = load.split(' ');
    return replicas === '1' ? `${scale} × data` : `${replicas} × connections`;
  });
  return [
    describeRun(run),
    '',
    'CPU µs per request, data service + PostgreSQL:',
    '',
    row('', ...heads),
    row('---', ...heads.map(() => '---:')),
    ...operations.map((operation) => row(operation, ...loads.map((load) => cell(operation, load)))),
  ].join('\n');
}

function drawGrowth({ points }: GrowthRun): string {
  const operations = [...new Set(points.map(({ operation }) => operation))];
  const curves = (along: 'scale' | 'replicas', across: 'scale' | 'replicas') => {
    const least = Math.min(...points.map((point) => point[across]));
    return operations.map((name) => {
      const own = points.filter((point) => point.operation === name && point[across] === least);
      const first = own[0] === undefined ? 1 : costOf(own[0]);
      return { name, points: own.map((point) => [point[along], costOf(point) / first] as const) };
    });
  };
  const common = { title: 'CPU per request', unit: 'times that of the smallest', isLogarithmic: true };
  return drawCurves([
    { ...common, below: 'times the data', curves: curves('scale', 'replicas') },
    { ...common, below: 'times the connections', curves: curves('replicas', 'scale') },
  ]);
}

/** The growth of resident memory. */
export function formatSoak(run: SoakRun): string {
  const growth = Object.entries(run.growthMiBPerHour).map(
    ([name, slope]) => `${name} ${slope.toFixed(1)} MiB per hour`,
  );
  const minutes = Math.round(run.durationMs / 6_000) / 10;
  const { share = 1, samples, idleMiB = {} } = run;
  const pauses = share === 1 ? '' : `, in ${Math.round(share * 100)} % of the time`;
  const memory = Object.keys(samples.at(-1)?.rssMiB ?? {}).map((name) => {
    const all = samples.map(({ rssMiB }) => Math.round(rssMiB[name] ?? 0));
    const idle = idleMiB[name];
    const after = idle === undefined ? '' : `, 15 s later ${Math.round(idle)}`;
    const limit = LIMITS.rssMiB[name as keyof typeof LIMITS.rssMiB];
    return `${name} at most ${Math.max(...all)} MiB (limit ${limit}), at the end ${all.at(-1)}${after}`;
  });
  return [
    describeRun(run),
    '',
    `${minutes} minutes, ${run.requests} requests through the gateway${pauses}, ${run.failures} failed. Resident memory: ${memory.join('; ')}. In the second half it grew by: ${growth.join(', ')}.`,
  ].join('\n');
}

function drawSoak({ samples }: SoakRun): string {
  const names = Object.keys(samples[0]?.rssMiB ?? {});
  const curves = (of: 'rssMiB' | 'heapMiB') =>
    names.map((name) => ({ name, points: samples.map((sample) => [sample.minutes, sample[of][name] ?? 0] as const) }));
  return drawCurves([
    { title: 'Resident memory', unit: 'MiB', below: 'minutes', curves: curves('rssMiB') },
    { title: 'Used heap with garbage', unit: 'MiB', below: 'minutes', curves: curves('heapMiB') },
  ]);
}

/** The start of each service and its idle memory, and those of an empty service with its libraries. */
export function formatStarts(run: StartsRun): string {
  const kinds = ['ready after, ms', 'idle, MiB'];
  return [
    describeRun(run),
    '',
    row('Service', `limit ${LIMITS.startMs} ms`, ...kinds, ...kinds.map((kind) => `libraries alone: ${kind}`)),
    row('---', '---', ...kinds.map(() => '---:'), ...kinds.map(() => '---:')),
    ...run.services.map(({ service, empty, ...start }) =>
      row(service, start.startMs <= LIMITS.startMs ? '✓' : '✗', ...startCells(start), ...startCells(empty)),
    ),
  ].join('\n');
}

const startCells = (start: MeasuredStart | undefined): readonly string[] =>
  start === undefined ? ['–', '–'] : [start.startMs, start.idleMiB].map((value) => String(Math.round(value)));

function peersTable(run: PeersRun | undefined): string {
  if (run === undefined) return missing('npm run bench -- --peers');
  return [describeRun(run), '', formatPeers(run.figures)].join('\n');
}

function consoleTable(run: ConsoleRun | undefined): string {
  if (run === undefined) return missing('npm run bench -- --console http://localhost:8080');
  return [`${describeRun(run)} ${run.rounds} rounds.`, '', formatConsole(run.figures)].join('\n');
}
