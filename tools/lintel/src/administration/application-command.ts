import type { Command } from 'commander';

/** Collects the values of an option that may be repeated. */
export const collect = (value: string, all: readonly string[] = []): readonly string[] => [...all, value];

/** Adds the options that name the application and its database. */
export const withDatabaseOptions = (command: Command): Command =>
  command
    .option('--application <module>', 'path or package of the application (svc.application); this folder without it')
    .option('--url <url>', 'PostgreSQL URL (svc.datasource.url); the database of this folder without it');

/** Adds the options that name the application and its database, and `--json`. */
export const withApplication = (command: Command): Command =>
  withDatabaseOptions(command).option('--json', 'print the result as JSON');
