import { join } from 'node:path';
import type { Application } from '@lintel/application';
import {
  defineSettings,
  loadApplication,
  loadSettings,
  platformSettings,
  processSources,
  setting,
  textValue,
} from '@lintel/config';
import { applicationFolder } from './application-folder.ts';
import type { Answer } from './command-context.ts';
import type { Output } from './output.ts';
import { type Arguments, parseArguments, USAGE, UsageError } from './parse-arguments.ts';
import { runCommand } from './run-command.ts';

/** A database that is there for one command. */
export interface OpenedDatabase {
  readonly url: string;
  close(): Promise<void>;
}

export interface MigrateSurroundings {
  /** Replaces the environment of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The folder that the application is looked for from. */
  readonly workingFolder?: string;
  /** Opens the database to work on where `svc.datasource.url` is not set; without it that is an error. */
  readonly openDatabase?: () => Promise<OpenedDatabase>;
}

const settings = defineSettings({
  application: platformSettings.application,
  url: setting('svc.datasource.url', textValue().optional(), 'PostgreSQL URL of the owner of the application schemas', {
    secret: true,
  }),
});

/**
 * The whole migration tool as a function: `arguments` are those behind the name of the command, `['run', '--json']`.
 * Answers the exit code: 0 when all is well, 1 when a check found something, 2 when the command failed.
 * Throws nothing.
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
    const answer = await answerTo(parsed, surroundings, (line) => {
      if (!json) output.print(line);
    });
    if (json) output.print(JSON.stringify(answer.json));
    else for (const line of answer.lines) output.print(line);
    return answer.exitCode;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (json) output.print(JSON.stringify({ error: message }));
    output.printError(message);
    if (error instanceof UsageError && !json) output.printError(`\n${USAGE}`);
    return 2;
  }
}

async function answerTo(
  { command, properties }: Arguments,
  { environment, workingFolder = process.cwd(), openDatabase }: MigrateSurroundings,
  note: (line: string) => void,
): Promise<Answer> {
  if (command.kind === 'help') return { exitCode: 0, lines: [USAGE], json: { usage: USAGE } };
  // Properties of the services are none of this tool's business.
  const sources = processSources({
    overrides: properties,
    knownKeys: ['svc.*'],
    ...(environment === undefined ? {} : { environment }),
  });
  const config = loadSettings(settings, sources);
  const application = await loadApplication<Application>(config.application, workingFolder);
  const database = await databaseOf(config.url, openDatabase);
  try {
    return await runCommand(command, {
      application,
      url: database.url,
      folder: () => join(applicationFolder(config.application, workingFolder), 'src', 'migrations'),
      now: () => new Date(),
      note,
    });
  } finally {
    await database.close();
  }
}

async function databaseOf(
  url: string | undefined,
  openDatabase: (() => Promise<OpenedDatabase>) | undefined,
): Promise<OpenedDatabase> {
  if (url !== undefined) return { url, close: async () => {} };
  if (openDatabase !== undefined) return openDatabase();
  throw new UsageError(
    'No database is named: set SVC_DATASOURCE_URL, or give --url postgres://user:password@host/name',
  );
}
