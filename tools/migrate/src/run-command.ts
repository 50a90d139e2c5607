import {
  acceptChangedMigrations,
  compareWithModel,
  copyDatabase,
  type MigrationProgress,
  migrationScript,
  migrationStatus,
  pendingDataLosses,
  revertMigrations,
  revertScript,
  runMigrations,
} from '@lintel/schema';
import { baseline } from './baseline.ts';
import type { CommandContext, CommandResult } from './command-context.ts';
import { describeFinding, drift } from './drift.ts';
import { generate, sentenceOfNotMade } from './generate/generate.ts';
import { type Command, USAGE } from './parse-arguments.ts';

/** Runs one command. */
export async function runCommand(command: Command, context: CommandContext): Promise<CommandResult> {
  switch (command.kind) {
    case 'generate':
      return generate(command, command.folder ?? context.folder(), context);
    case 'check':
      return check(command.expanded, context);
    case 'run':
      return command.dryRun ? dryRun(command, context) : run(command, context);
    case 'status':
      return status(context);
    case 'drift':
      return drift(command.strict, context);
    case 'accept':
      return accept(command.name, context);
    case 'baseline':
      return baseline(command, context);
    case 'revert':
      return revert(command, context);
    case 'help':
      return { exitCode: 0, lines: [USAGE], json: { usage: USAGE } };
    default:
      return command satisfies never;
  }
}

const migrationsOf = ({ application }: CommandContext) => application.migrations ?? [];

async function check(expanded: boolean, context: CommandContext): Promise<CommandResult> {
  const { url, application } = context;
  const difference = await compareWithModel({ url, model: application.model, migrations: migrationsOf(context) });
  const changes = expanded ? statementsThatAdd(difference.up) : difference.up;
  const missing = [...difference.taken.up, ...changes];
  const { kept, notMade } = difference;
  const agrees = missing.length === 0 && notMade.length === 0;
  const rest = difference.up.length - changes.length;
  const more =
    rest === 0 ? 'exactly the schema' : `the schema of the model and more: ${rest} statements would remove it`;
  const lines = agrees
    ? [rest === 0 ? 'The migrations make exactly the schema of the model.' : `The migrations make ${more}.`]
    : [
        'The migrations do not make the schema of the model. Missing:',
        ...[...missing, ...notMade.map(sentenceOfNotMade)].map((each) => `  ${each}`),
      ];
  return {
    exitCode: agrees ? 0 : 1,
    lines: [...lines, ...kept.map(describeFinding)],
    json: { agrees, missing, kept, notMade },
  };
}

/** A database of development is copied before migrations that lose data. Services that run with it prevent the copy. */
async function copyBeforeLosses(context: CommandContext): Promise<void> {
  const { url, isOwnDatabase = false, note } = context;
  const losses = isOwnDatabase ? await pendingDataLosses({ url, migrations: migrationsOf(context) }) : [];
  if (losses.length === 0) return;
  const outcome = await copyDatabase(url);
  note(
    outcome === 'done'
      ? 'copied the database: "lintel db undo" restores the copy'
      : 'warning: others are connected to the database, so it is not copied',
  );
}

async function run(command: Command & { kind: 'run' }, context: CommandContext): Promise<CommandResult> {
  await copyBeforeLosses(context);
  const ran = await runMigrations({
    ...command,
    url: context.url,
    migrations: migrationsOf(context),
    onProgress: (progress) => context.note(sentenceOf(progress)),
  });
  const end = ran.length === 0 ? 'The database is up to date.' : `${ran.length} migrations run.`;
  return { exitCode: 0, lines: [end], json: { ran } };
}

function sentenceOf(progress: MigrationProgress): string {
  switch (progress.kind) {
    case 'waiting':
      return 'waiting: another process migrates this database';
    case 'newer':
      return `warning: the database is newer than this version, which does not know ${progress.names.join(', ')}`;
    case 'warning':
      return `warning: ${progress.text}`;
    case 'ran':
      return `ran ${progress.name}`;
    case 'reverted':
      return `reverted ${progress.name}`;
    case 'retry':
      return `${progress.name} got no lock in time and was taken back (attempt ${progress.attempt}); trying again`;
    default:
      return progress satisfies never;
  }
}

async function dryRun(command: Command & { kind: 'run' }, context: CommandContext): Promise<CommandResult> {
  const { names, sql } = await migrationScript({
    ...command,
    url: context.url,
    migrations: migrationsOf(context),
  });
  return { exitCode: 0, lines: [sql.trimEnd()], json: { pending: names, sql } };
}

async function revert(command: Command & { kind: 'revert' }, context: CommandContext): Promise<CommandResult> {
  const options = { ...command, url: context.url, migrations: migrationsOf(context) };
  if (command.dryRun) {
    const { names, sql } = await revertScript(options);
    return { exitCode: 0, lines: [sql.trimEnd()], json: { pending: names, sql } };
  }
  const reverted = await revertMigrations({
    ...options,
    onProgress: (progress) => context.note(sentenceOf(progress)),
  });
  const end = reverted.length === 0 ? 'Nothing to revert.' : `${reverted.length} migrations reverted.`;
  return { exitCode: 0, lines: [end], json: { reverted } };
}

async function status(context: CommandContext): Promise<CommandResult> {
  const migrations = await migrationStatus({ url: context.url, migrations: migrationsOf(context) });
  const isUpToDate = migrations.every(({ state }) => state === 'executed' || state === 'unknown');
  return {
    exitCode: isUpToDate ? 0 : 1,
    lines: migrations.map(({ name, state }) => `${state.padEnd(9)} ${name}`),
    json: { upToDate: isUpToDate, migrations },
  };
}

async function accept(name: string, context: CommandContext): Promise<CommandResult> {
  const options = { url: context.url, migrations: migrationsOf(context), names: [name] };
  const accepted = await acceptChangedMigrations(options);
  const line = accepted.length === 0 ? `${name} has not changed since it ran here.` : `accepted ${name}`;
  return { exitCode: accepted.length === 0 ? 1 : 0, lines: [line], json: { accepted } };
}

const REMOVAL = /^(DROP (TABLE|INDEX)|ALTER TABLE \S+ DROP (COLUMN|CONSTRAINT))\b/;

/**
 * The statements that add or change something, without those that only remove what is no longer in the model: in the
 * release between two versions of a table the former one still exists.
 */
const statementsThatAdd = (statements: readonly string[]): readonly string[] =>
  statements.filter((statement) => !REMOVAL.test(statement));
