import { parseArgs } from 'node:util';

/** What the command line asks for. */
export type Command =
  | { readonly kind: 'generate'; readonly name: string; readonly folder: string | undefined }
  | { readonly kind: 'run' }
  | { readonly kind: 'status' }
  | { readonly kind: 'check' }
  | { readonly kind: 'revert' }
  | { readonly kind: 'help' };

export interface Arguments {
  readonly command: Command;
  /** Values of the options that stand for a property. */
  readonly properties: Readonly<Record<string, string>>;
}

/** A command line that makes no sense. */
export class UsageError extends Error {}

export const USAGE = `lintel-migrate <command> [options]

  generate <name>   write the next migration: the difference between model and migrations so far
  check             fail when such a difference exists
  run               bring the database up to date
  status            list the migrations and whether they have run
  revert            undo the latest migration of the application

  --application <module>   path or package of the application   (svc.application)
  --url <url>              PostgreSQL URL                       (svc.datasource.url)
  --folder <path>          where generate writes; src/migrations of the application's package
`;

const WORDS = /^[A-Za-z0-9][A-Za-z0-9-]*$/;

function commandOf(words: readonly string[], folder: string | undefined): Command {
  const [kind, name, ...rest] = words;
  if (rest.length > 0 || (name !== undefined && kind !== 'generate')) {
    throw new UsageError(`Too many arguments: ${words.slice(kind === 'generate' ? 2 : 1).join(' ')}`);
  }
  switch (kind) {
    case 'generate':
      if (name === undefined) throw new UsageError('generate needs a name, e.g. generate add-delivery-window');
      if (!WORDS.test(name)) throw new UsageError(`The name ${name} may have letters, digits and hyphens only`);
      return { kind, name, folder };
    case 'run':
    case 'status':
    case 'check':
    case 'revert':
      return { kind };
    case 'help':
    case undefined:
      return { kind: 'help' };
    default:
      throw new UsageError(`Unknown command ${kind}`);
  }
}

/** @throws UsageError naming what is wrong */
export function parseArguments(args: readonly string[]): Arguments {
  let parsed: ReturnType<typeof read>;
  try {
    parsed = read(args);
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause));
  }
  const { values, positionals } = parsed;
  return {
    command: values.help ? { kind: 'help' } : commandOf(positionals, values.folder),
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
      folder: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
