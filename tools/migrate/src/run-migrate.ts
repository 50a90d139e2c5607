import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import type { Application } from '@lintel/application';
import {
  connectionSettings,
  defineSettings,
  loadApplication,
  loadSettings,
  platformSettings,
  postgresUrlValue,
  processSources,
  type SettingsOf,
  sessionUrlOf,
  setting,
} from '@lintel/config';
import { unreachableReasonOf } from '@lintel/schema';
import type { CommandResult } from './command-context.ts';
import type { Output } from './output.ts';
import { type Arguments, parseArguments, USAGE, UsageError } from './parse-arguments.ts';
import { runCommand } from './run-command.ts';

/** A database that is open for one command. */
export interface OpenedDatabase {
  readonly url: string;
  close(): Promise<void>;
}

export interface MigrateSurroundings {
  /** Replaces the environment of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The folder relative to which the application is resolved. */
  readonly workingFolder?: string;
  /** Opens the database where `svc.datasource.url` is not set; undefined: a missing URL is an error. */
  readonly openDatabase?: () => Promise<OpenedDatabase>;
  /** Asks a question that is answered with yes or no; undefined if nobody can be asked. */
  readonly ask?: (question: string) => Promise<boolean>;
}

const settings = defineSettings({
  application: platformSettings.application,
  url: setting(
    'svc.datasource.url',
    postgresUrlValue().optional(),
    'PostgreSQL URL of the owner of the application schemas',
    {
      secret: true,
    },
  ),
  ...connectionSettings,
});

/**
 * The whole migration tool as a function. Never throws.
 *
 * @param args the arguments after the name of the program: `['run', '--json']`
 * @returns the exit code: 0 for success, 1 where a check found problems, 2 where the command failed
 */
export async function runMigrate(
  args: readonly string[],
  output: Output,
  surroundings: MigrateSurroundings = {},
): Promise<0 | 1 | 2> {
  let json = args.includes('--json');
  try {
    const parsed = parseArguments(args);
    json = parsed.json;
    const result = await execute(parsed, surroundings, (line) => {
      if (!json) output.print(line);
    });
    if (json) output.print(JSON.stringify(result.json));
    else for (const line of result.lines) output.print(line);
    return result.exitCode;
  } catch (error) {
    const message = messageOf(error);
    if (json) output.print(JSON.stringify({ error: message }));
    output.printError(message);
    if (error instanceof UsageError && !json) output.printError(`\n${USAGE}`);
    return 2;
  }
}

function messageOf(error: unknown): string {
  const reason = unreachableReasonOf(error);
  if (reason !== undefined) return `The database cannot be reached: ${reason}`;
  return error instanceof Error ? error.message : String(error);
}

async function execute(
  { command, properties }: Arguments,
  { environment, workingFolder = process.cwd(), openDatabase, ask }: MigrateSurroundings,
  note: (line: string) => void,
): Promise<CommandResult> {
  if (command.kind === 'help') return { exitCode: 0, lines: [USAGE], json: { usage: USAGE } };
  // Properties of the services do not concern this tool.
  const options = {
    overrides: properties,
    knownKeys: ['svc.*'],
    ...(environment === undefined ? {} : { environment }),
  };
  const config = loadSettings(settings, processSources(options));
  const application = await loadApplication<Application>(config.application, workingFolder);
  const applicationProperties = application.properties ?? {};
  const stored = loadSettings(settings, processSources({ ...options, applicationProperties }));
  const database = await databaseOf(urlOf(stored, properties), openDatabase);
  try {
    return await runCommand(command, {
      application,
      url: database.url,
      folder: () => join(applicationFolder(config.application, workingFolder), 'src', 'migrations'),
      now: () => new Date(),
      note,
      isOwnDatabase: database.isOwn,
      ...(ask === undefined ? {} : { ask }),
    });
  } finally {
    await database.close();
  }
}

/** A URL that the caller names is used as it is, instead of `svc.datasource.direct-url`. */
const urlOf = (
  { url, ...config }: SettingsOf<typeof settings>,
  properties: Readonly<Record<string, string>>,
): string | undefined => {
  if (url === undefined) return undefined;
  const directUrl = properties['svc.datasource.url'] === undefined ? config.directUrl : undefined;
  return sessionUrlOf({ ...config, url, directUrl });
};

async function databaseOf(
  url: string | undefined,
  openDatabase: (() => Promise<OpenedDatabase>) | undefined,
): Promise<OpenedDatabase & { readonly isOwn: boolean }> {
  if (url !== undefined) return { url, isOwn: false, close: async () => {} };
  if (openDatabase !== undefined) {
    const { url: ownUrl, close } = await openDatabase();
    return { url: ownUrl, isOwn: true, close };
  }
  throw new UsageError(
    'No database is named: set SVC_DATASOURCE_URL, or give --url postgres://user:password@host/name',
  );
}

/** The folder of the package of a module specifier. */
export function applicationFolder(specifier: string, workingFolder: string): string {
  const isPath = specifier.startsWith('.') || specifier.startsWith('/');
  const path = isPath
    ? resolve(workingFolder, specifier)
    : createRequire(join(workingFolder, 'package.json')).resolve(specifier);
  let folder = existsSync(path) && statSync(path).isDirectory() ? path : dirname(path);
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`${specifier} is in no package: give --folder`);
    folder = parent;
  }
  return folder;
}
