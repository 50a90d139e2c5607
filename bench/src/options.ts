import { parseArgs } from 'node:util';
import { OPERATIONS } from './operations/index.ts';
import { SYSTEM_NAMES, type SystemName } from './systems.ts';

export interface BenchOptions {
  /** Operations to run, in their order. */
  readonly operations: readonly string[];
  /** Systems to run beside the reference. */
  readonly systems: readonly SystemName[];
  /** Runs of each system. */
  readonly rounds: number;
  /** Length of a measured run. */
  readonly runMs: number;
  /** Length of the reference's run before each measured run. */
  readonly referenceMs: number;
  /** Whether the results become a file of `results/`. */
  readonly record: boolean;
  /** Requests under way at the same time; undefined for those of each operation. */
  readonly connections: number | undefined;
  /** Folder for processor profiles, where they are wanted instead of figures. */
  readonly profile: string | undefined;
  /** Connections of each server to the database; undefined for those of the performance page. */
  readonly poolSize: number | undefined;
  /** File for the results, instead of the folder of recorded runs. */
  readonly output: string | undefined;
  /** What is measured instead of the operations. */
  readonly mode: BenchMode;
}

/** `soak` lasts some milliseconds; `growth` has the sizes of the data set. */
export type BenchMode =
  | { readonly kind: 'operations' | 'starts' | 'forwarders' | 'peers' }
  | { readonly kind: 'soak'; readonly durationMs: number; readonly isStandalone: boolean; readonly share: number }
  | { readonly kind: 'console'; readonly url: string }
  | { readonly kind: 'growth'; readonly scales: readonly number[] };

const NAMES = OPERATIONS.map(({ name }) => name);

export const USAGE = `Usage: npm run bench -- [options]
  --quick                some minutes: one short run of each operation, no figures for the record
  --only R1,R3           these operations (${NAMES.join(', ')})
  --systems data,gateway these systems beside the reference (${SYSTEM_NAMES.join(', ')})
  --rounds 3             measured runs of each system
  --seconds 2.5          length of a measured run
  --connections 4        requests under way at the same time, instead of 16 (R5: one)
  --record, --no-record  write bench/results/<commit>.json or not; by default complete runs do
  --growth 1,4,16        the data service with so many times the data, and of the connections (half an hour)
  --soak 60m             through the gateway for so long: whether memory grows
  --standalone           with --soak: the process of npm start instead, with logins, files and reports
  --share 0.2            with --soak: requests are sent in this part of the time, with pauses in between
  --forwarders           only what the gateway costs, beside other forwarders, in front of a static server (R1, R2, W1)
  --peers                only our gateway beside other products, which are installed first (twenty minutes)
  --starts               how long the services take to start, and their memory when idle
  --console URL          the console of a running system with the example application, in Chromium
  --pool 40              connections of each server to the database, instead of 10
  --output FILE          the results go there
  --profile FOLDER       only write processor profiles there, of (c) and of the systems named (data)
  --help`;

/**
 * @throws Error naming the option that is wrong
 */
export function parseOptions(args: string[]): BenchOptions | 'help' {
  if (args.includes('--help')) return 'help';
  const { values } = parseArgs({
    args,
    allowNegative: true,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', default: NAMES.join() },
      systems: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      connections: { type: 'string' },
      record: { type: 'boolean' },
      growth: { type: 'string' },
      soak: { type: 'string' },
      standalone: { type: 'boolean', default: false },
      share: { type: 'string', default: '1' },
      forwarders: { type: 'boolean' },
      peers: { type: 'boolean' },
      starts: { type: 'boolean' },
      console: { type: 'string' },
      pool: { type: 'string' },
      output: { type: 'string' },
      profile: { type: 'string' },
    },
  });
  const { quick, output, profile } = values;
  const operations = choose('--only', values.only, NAMES);
  const usual = quick || profile !== undefined ? 'data' : SYSTEM_NAMES.join();
  const systems = choose('--systems', values.systems ?? usual, SYSTEM_NAMES);
  const connections = optional('--connections', values.connections, Math.ceil);
  const poolSize = optional('--pool', values.pool, Math.ceil);
  const isComplete = operations.length === NAMES.length && systems.length === SYSTEM_NAMES.length;
  return {
    operations,
    systems,
    rounds: optional('--rounds', values.rounds) ?? (quick ? 2 : 3),
    runMs: (optional('--seconds', values.seconds) ?? (quick ? 1.5 : 2.5)) * 1000,
    referenceMs: quick ? 1_000 : 1_200,
    connections,
    poolSize,
    output,
    mode: modeOf(values),
    record: values.record ?? (isComplete && connections === undefined && poolSize === undefined),
    profile,
  };
}

function modeOf(values: {
  readonly soak?: string;
  readonly standalone: boolean;
  readonly share: string;
  readonly growth?: string;
  readonly console?: string;
  readonly starts?: boolean;
  readonly forwarders?: boolean;
  readonly peers?: boolean;
}): BenchMode {
  const { soak, standalone: isStandalone, growth, console: url } = values;
  const share = positive('--share', values.share);
  if (share > 1) throw new Error(`--share must be a number from above 0 to 1, not ${values.share}.`);
  if (soak !== undefined) return { kind: 'soak', durationMs: duration('--soak', soak), isStandalone, share };
  if (isStandalone || share < 1) throw new Error('--standalone and --share belong to --soak.');
  if (growth !== undefined)
    return { kind: 'growth', scales: growth.split(',').map((text) => positive('--growth', text)) };
  if (url !== undefined) return { kind: 'console', url };
  return { kind: (['starts', 'forwarders', 'peers'] as const).find((kind) => values[kind]) ?? 'operations' };
}

function choose<T extends string>(option: string, text: string, known: readonly T[]): readonly T[] {
  const names = text.split(',').flatMap((name) => name.trim().toLowerCase() || []);
  const chosen = known.filter((one) => names.includes(one.toLowerCase()));
  const unknown = names.find((name) => !chosen.some((one) => one.toLowerCase() === name));
  if (unknown !== undefined) throw new Error(`${option}: there is no ${unknown}; choose from ${known.join(', ')}.`);
  return chosen;
}

const optional = (option: string, text: string | undefined, round = (value: number) => value): number | undefined =>
  text === undefined ? undefined : round(positive(option, text));

function positive(option: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`${option} must be a number above 0, not ${text}.`);
  return value;
}

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

function duration(option: string, text: string): number {
  const [, number = '', unit = ''] = /^(\d+)([smh])$/.exec(text) ?? [];
  const unitMs = UNITS_MS[unit];
  if (unitMs === undefined || Number(number) === 0)
    throw new Error(`${option} must be a time like 90s, 60m or 1h, not ${text}.`);
  return Number(number) * unitMs;
}
