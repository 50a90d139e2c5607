import { OPERATIONS } from './operations/index.ts';
import { SYSTEM_NAMES, type SystemName } from './systems.ts';

export interface BenchOptions {
  /** Operations to run, in their order. */
  readonly operations: readonly string[];
  /** Systems to run beside the reference. */
  readonly systems: readonly SystemName[];
  /** Runs of the systems that have targets and of the least forwarder; the others take one. */
  readonly rounds: number;
  /** Length of a measured run. */
  readonly runMs: number;
  /** Length of the reference's run before each measured run. */
  readonly referenceMs: number;
  /** Whether the results become a file of `results/`. */
  readonly record: boolean;
  /** Requests under way at the same time; undefined for those of each operation. */
  readonly connections: number | undefined;
  /** A recorded run that this one is compared with: it fails where it is worse. */
  readonly baseline: string | undefined;
  /** Two recorded runs to be compared, instead of measuring anything. */
  readonly compare: readonly [string, string] | undefined;
  /** Folder for processor profiles, where they are wanted instead of figures. */
  readonly profile: string | undefined;
  /** Connections of each server to the database; undefined for those of the performance page. */
  readonly poolSize: number | undefined;
  /** File for the results, instead of the folder of recorded runs. */
  readonly output: string | undefined;
  /** What is measured instead of the operations, or made of what was measured. */
  readonly mode: BenchMode;
}

/** `soak` lasts some milliseconds; `growth` has the sizes of the data set. */
export type BenchMode =
  | { readonly kind: 'operations' | 'starts' | 'report' | 'forwarders' | 'peers' }
  | { readonly kind: 'soak'; readonly durationMs: number; readonly isStandalone: boolean; readonly share: number }
  | { readonly kind: 'console'; readonly url: string }
  | { readonly kind: 'growth'; readonly scales: readonly number[] };

export const USAGE = `Usage: npm run bench -- [options]
  --quick                some minutes: one short run of each operation, no figures for the record
  --only R1,R3           these operations (${OPERATIONS.map(({ name }) => name).join(', ')})
  --systems data,bare    these systems beside the reference (${SYSTEM_NAMES.join(', ')})
  --rounds 3             measured runs of each system of our own
  --seconds 2.5          length of a measured run
  --connections 4        requests under way at the same time, instead of 16 (R5: one)
  --baseline FILE        compare with a recorded run, and fail where something became worse
  --compare OLD NEW      only compare two recorded runs
  --record, --no-record  write bench/results/<commit>.json or not; by default complete runs do
  --growth 1,4,16        the data service with so many times the data, and of the connections (half an hour)
  --soak 60m             through the gateway for so long: whether memory grows
  --standalone           with --soak: the process of npm start instead, with logins, files and reports
  --share 0.2            with --soak: requests are sent in this part of the time, with pauses in between
  --forwarders           only what the gateway costs, beside other forwarders, in front of a static server (R1, R2, W1)
  --peers                only our gateway beside other products, which are installed first (twenty minutes)
  --starts               how long the services take to start, and their memory when idle
  --console URL          the console of a running system with the example application, in Chromium
  --report               only writes docs/performance.md anew from the recorded results
  --pool 40              connections of each server to the database, instead of 10
  --output FILE          the results go there
  --profile FOLDER       only write processor profiles there, of (c) and of the systems named (data)
  --help`;

/**
 * @throws Error naming the option that is wrong
 */
export function parseOptions(parameters: readonly string[]): BenchOptions | 'help' {
  let operations = OPERATIONS.map(({ name }) => name);
  let systems: readonly SystemName[] = SYSTEM_NAMES;
  let rounds: number | undefined;
  let seconds: number | undefined;
  let record: boolean | undefined;
  let profile: string | undefined;
  let connections: number | undefined;
  let baseline: string | undefined;
  let compare: readonly [string, string] | undefined;
  let isQuick = false;
  let poolSize: number | undefined;
  let output: string | undefined;
  let mode: BenchMode = { kind: 'operations' };
  let isStandalone = false;
  let share = 1;
  const rest = [...parameters];
  const parameterOf = (option: string): string => {
    const value = rest.shift();
    if (value === undefined) throw new Error(`${option} needs a value.\n${USAGE}`);
    return value;
  };
  for (let option = rest.shift(); option !== undefined; option = rest.shift()) {
    if (option === '--help') return 'help';
    if (option === '--quick') isQuick = true;
    else if (option === '--only') operations = choose(option, parameterOf(option), operations);
    else if (option === '--systems') systems = choose(option, parameterOf(option), SYSTEM_NAMES);
    else if (option === '--rounds') rounds = positive(option, parameterOf(option));
    else if (option === '--seconds') seconds = positive(option, parameterOf(option));
    else if (option === '--record') record = true;
    else if (option === '--no-record') record = false;
    else if (option === '--connections') connections = Math.ceil(positive(option, parameterOf(option)));
    else if (option === '--baseline') baseline = parameterOf(option);
    else if (option === '--compare') compare = [parameterOf(option), parameterOf(option)];
    else if (option === '--profile') profile = parameterOf(option);
    else if (option === '--pool') poolSize = Math.ceil(positive(option, parameterOf(option)));
    else if (option === '--output') output = parameterOf(option);
    else if (option === '--starts') mode = { kind: 'starts' };
    else if (option === '--report') mode = { kind: 'report' };
    else if (option === '--console') mode = { kind: 'console', url: parameterOf(option) };
    else if (option === '--peers') mode = { kind: 'peers' };
    else if (option === '--forwarders') mode = { kind: 'forwarders' };
    else if (option === '--soak')
      mode = { kind: 'soak', durationMs: duration(option, parameterOf(option)), isStandalone: false, share: 1 };
    else if (option === '--standalone') isStandalone = true;
    else if (option === '--share') share = shareOf(option, parameterOf(option));
    else if (option === '--growth')
      mode = {
        kind: 'growth',
        scales: parameterOf(option)
          .split(',')
          .map((text) => positive(option, text)),
      };
    else throw new Error(`There is no option ${option}.\n${USAGE}`);
  }
  if (mode.kind === 'soak') mode = { ...mode, isStandalone, share };
  else if (isStandalone || share < 1) throw new Error(`--standalone and --share belong to --soak.\n${USAGE}`);
  const isComplete = operations.length === OPERATIONS.length && systems.length === SYSTEM_NAMES.length;
  return {
    operations,
    systems: (isQuick || profile !== undefined) && systems === SYSTEM_NAMES ? ['data'] : systems,
    rounds: rounds ?? (isQuick ? 2 : 3),
    runMs: (seconds ?? (isQuick ? 1.5 : 2.5)) * 1000,
    referenceMs: isQuick ? 1_000 : 1_200,
    connections,
    baseline,
    compare,
    poolSize,
    output,
    mode,
    record:
      record ??
      (isComplete && !isQuick && profile === undefined && connections === undefined && poolSize === undefined),
    profile,
  };
}

function choose<T extends string>(option: string, text: string, known: readonly T[]): T[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  for (const name of names) {
    if (!known.some((one) => one.toLowerCase() === name.toLowerCase()))
      throw new Error(`${option}: there is no ${name}; choose from ${known.join(', ')}.`);
  }
  return known.filter((one) => names.some((name) => name.toLowerCase() === one.toLowerCase()));
}

function positive(option: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`${option} must be a number above 0, not ${text}.`);
  return value;
}

function shareOf(option: string, text: string): number {
  const value = positive(option, text);
  if (value > 1) throw new Error(`${option} must be a number from above 0 to 1, not ${text}.`);
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
