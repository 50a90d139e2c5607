import { parseArgs } from 'node:util';
import { durationMsValue } from '@lintel/config';
import type { Rename } from '@lintel/schema';

interface Patience {
  readonly lockTimeoutMs?: number;
  readonly lockAttempts?: number;
}

/** A command with its options. */
export type Command =
  | {
      readonly kind: 'generate';
      readonly name: string;
      readonly folder: string | undefined;
      readonly renames: readonly Rename[];
      readonly allowDataLoss: boolean;
      readonly withReferences: boolean;
    }
  | ({ readonly kind: 'run'; readonly dryRun: boolean } & Patience)
  | { readonly kind: 'status' }
  | { readonly kind: 'drift'; readonly strict: boolean }
  | { readonly kind: 'check'; readonly expanded: boolean }
  | { readonly kind: 'accept'; readonly name: string }
  | { readonly kind: 'baseline'; readonly to?: string; readonly dryRun: boolean }
  | ({
      readonly kind: 'revert';
      readonly steps?: number;
      readonly to?: string;
      readonly allowDataLoss: boolean;
      readonly dryRun: boolean;
    } & Patience)
  | { readonly kind: 'help' };

export interface Arguments {
  readonly command: Command;
  /** Whether the result is printed as JSON. */
  readonly json: boolean;
  /** Values of the options that set a property. */
  readonly properties: Readonly<Record<string, string>>;
}

/** An invalid command line. */
export class UsageError extends Error {}

export const USAGE = `lintel migrate <command> [options]

  generate <name>   write the next migration: the difference between model and migrations so far
  check             fail when such a difference exists
  run               bring the database up to date
  status            list the migrations and whether they have run here; fail when some have not or have changed
  drift             compare the tables of the database with the model; fail when they do not fit
  accept <name>     take the present text of a migration that ran here with another one
  baseline          record migrations as run, in a database whose tables were there before
  revert            undo the latest migration of the application, or several

  --application <module>   path or package of the application   (svc.application)
  --url <url>              PostgreSQL URL                       (svc.datasource.url)
  --json                   print JSON, in one line
  --folder <path>          where generate writes; src/migrations of the application's package
  --dry-run                with run, baseline and revert: print the SQL and change nothing
  --lock-timeout <time>    with run and revert: longest wait for one lock, while other statements wait for this one; 2s
  --lock-attempts <n>      with run and revert: how often a migration that got no lock is tried; 30
  --steps <n>              with revert: how many migrations; 1
  --to <name>              with revert: all that ran after this one; with baseline: the last that is recorded
  --rename <change>        with generate: schema.table.column=name, a column that gets another name, or
                           schema.table=schema.table; several times
  --allow-data-loss        with generate and revert: write or run statements that lose data, too
  --with-references        with generate: make tables of other owners, too, where they are missing: their structure
  --expanded               with check: what the model has no longer may still be there
  --strict                 with drift: fail for what is there in addition, too

Exit code: 0 when all is well, 1 when a check found something, 2 when the command failed.
`;

const WORDS = /^[A-Za-z0-9][A-Za-z0-9-]*$/;

type Options = ReturnType<typeof read>['values'];

/** Options of single commands. */
const OWN_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  folder: ['generate'],
  'dry-run': ['run', 'baseline', 'revert'],
  'lock-timeout': ['run', 'revert'],
  'lock-attempts': ['run', 'revert'],
  steps: ['revert'],
  to: ['baseline', 'revert'],
  rename: ['generate'],
  'allow-data-loss': ['generate', 'revert'],
  'with-references': ['generate'],
  expanded: ['check'],
  strict: ['drift'],
};

function commandOf(words: readonly string[], options: Options): Command {
  const [kind, name, ...rest] = words;
  const takesName = kind === 'generate' || kind === 'accept';
  if (rest.length > 0 || (name !== undefined && !takesName)) {
    throw new UsageError(`Too many arguments: ${words.slice(takesName ? 2 : 1).join(' ')}`);
  }
  for (const [option, owners] of Object.entries(OWN_OPTIONS))
    if (option in options && (kind === undefined || !owners.includes(kind)))
      throw new UsageError(`--${option} belongs to ${owners.join(', ')}`);
  switch (kind) {
    case 'generate':
      if (name === undefined) throw new UsageError('generate needs a name, e.g. generate add-delivery-window');
      if (!WORDS.test(name)) throw new UsageError(`The name ${name} may have letters, digits and hyphens only`);
      return {
        kind,
        name,
        folder: options.folder,
        renames: (options.rename ?? []).map(renameOf),
        allowDataLoss: options['allow-data-loss'] ?? false,
        withReferences: options['with-references'] ?? false,
      };
    case 'accept':
      if (name === undefined) throw new UsageError('accept needs the name of a migration; "status" lists them');
      return { kind, name };
    case 'run':
      return { kind, dryRun: options['dry-run'] ?? false, ...patienceOf(options) };
    case 'baseline':
      return {
        kind,
        dryRun: options['dry-run'] ?? false,
        ...(options.to === undefined ? {} : { to: options.to }),
      };
    case 'check':
      return { kind, expanded: options.expanded ?? false };
    case 'drift':
      return { kind, strict: options.strict ?? false };
    case 'revert':
      return revertOf(options);
    case 'status':
      return { kind };
    case 'help':
    case undefined:
      return { kind: 'help' };
    default:
      throw new UsageError(`Unknown command ${kind}`);
  }
}

function renameOf(text: string): Rename {
  const [, former, becomes] = /^([^.=]+\.[^.=]+)=([^.=]+\.[^.=]+)$/.exec(text) ?? [];
  if (former !== undefined && becomes !== undefined) return { table: former, to: becomes };
  const [, table, from, to] = /^([^.]+\.[^.]+)\.([^=]+)=(.+)$/.exec(text) ?? [];
  if (table === undefined || from === undefined || to === undefined)
    throw new UsageError(`--rename ${text} is not of the form schema.table.column=name or schema.table=schema.table`);
  return { table, from, to };
}

function revertOf(options: Options): Command {
  const { steps, to } = options;
  if (steps !== undefined && to !== undefined)
    throw new UsageError('--steps and --to say two things: give one of them');
  if (steps !== undefined && !COUNT.test(steps)) throw new UsageError(`--steps ${steps} is no number from 1`);
  return {
    kind: 'revert',
    dryRun: options['dry-run'] ?? false,
    allowDataLoss: options['allow-data-loss'] ?? false,
    ...(steps === undefined ? {} : { steps: Number(steps) }),
    ...(to === undefined ? {} : { to }),
    ...patienceOf(options),
  };
}

const COUNT = /^[1-9]\d{0,5}$/;

function patienceOf(options: Options): Patience {
  const { 'lock-timeout': timeout, 'lock-attempts': attempts } = options;
  const lockTimeoutMs = timeout === undefined ? undefined : durationMsValue().safeParse(timeout).data;
  if (timeout !== undefined && !lockTimeoutMs) throw new UsageError(`--lock-timeout ${timeout} is no time such as 2s`);
  if (attempts !== undefined && !COUNT.test(attempts))
    throw new UsageError(`--lock-attempts ${attempts} is no number from 1`);
  return {
    ...(lockTimeoutMs === undefined ? {} : { lockTimeoutMs }),
    ...(attempts === undefined ? {} : { lockAttempts: Number(attempts) }),
  };
}

/** @throws UsageError with the error of the command line */
export function parseArguments(args: readonly string[]): Arguments {
  let parsed: ReturnType<typeof read>;
  try {
    parsed = read(args);
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause));
  }
  const { values, positionals } = parsed;
  return {
    command: values.help ? { kind: 'help' } : commandOf(positionals, values),
    json: values.json ?? false,
    properties: {
      ...(values.application === undefined ? {} : { 'svc.application': values.application }),
      ...(values.url === undefined ? {} : { 'svc.datasource.url': values.url }),
    },
  };
}

const read = (args: readonly string[]) =>
  parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      application: { type: 'string' },
      url: { type: 'string' },
      json: { type: 'boolean' },
      folder: { type: 'string' },
      'dry-run': { type: 'boolean' },
      'lock-timeout': { type: 'string' },
      'lock-attempts': { type: 'string' },
      expanded: { type: 'boolean' },
      strict: { type: 'boolean' },
      steps: { type: 'string' },
      to: { type: 'string' },
      rename: { type: 'string', multiple: true },
      'allow-data-loss': { type: 'boolean' },
      'with-references': { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
