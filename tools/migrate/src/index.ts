export { formatMigration, formatMigrationList } from './format-migration.ts';
export { type Command, parseArguments, USAGE, UsageError } from './parse-arguments.ts';
export { type CommandContext, runCommand } from './run-command.ts';
export { writeMigration } from './write-migration.ts';
