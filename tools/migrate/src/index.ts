export type { CommandContext, CommandResult } from './command-context.ts';
export { formatMigration, formatMigrationList } from './generate/format-migration.ts';
export { writeMigration } from './generate/write-migration.ts';
export type { Output } from './output.ts';
export { type Command, parseArguments, USAGE, UsageError } from './parse-arguments.ts';
export { runCommand } from './run-command.ts';
export { type MigrateSurroundings, type OpenedDatabase, runMigrate } from './run-migrate.ts';
