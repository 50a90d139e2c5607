import { Command } from 'commander';
import type { CommandContext } from '../program.ts';

/** A command of the migration tool, with the options that are its own. */
interface Entry {
  readonly name: string;
  readonly description: string;
  readonly argument?: readonly [name: string, description: string];
  readonly options?: readonly (readonly [flags: string, description: string])[];
}

const PATIENCE: NonNullable<Entry['options']> = [
  ['--lock-timeout <time>', 'longest wait for one lock, which blocks later requests for it; 2s without it'],
  ['--lock-attempts <n>', 'how often a migration that got no lock is tried; 30 without it'],
];

const COMMANDS: readonly Entry[] = [
  {
    name: 'generate',
    description: 'Write the next step: the difference between the model and the migrations so far.',
    argument: ['name', 'words of its name: letters, digits and hyphens'],
    options: [
      ['--folder <path>', "where it is written; src/migrations of the application's package without it"],
      [
        '--rename <change...>',
        'schema.table.column=name: a column that gets another name, with its values; or schema.table=schema.table',
      ],
      ['--allow-data-loss', 'write statements that lose data, too'],
      ['--with-references', 'make tables of other owners, too, where they are missing: their structure'],
    ],
  },
  {
    name: 'check',
    description: 'Exit code 1 when the migrations do not make the schema of the model.',
    options: [['--expanded', 'what the model has no longer may still be there']],
  },
  {
    name: 'run',
    description: 'Bring the database up to date.',
    options: [['--dry-run', 'print the SQL and change nothing'], ...PATIENCE],
  },
  { name: 'status', description: 'List the migrations; exit code 1 when some have not run, or have changed.' },
  {
    name: 'drift',
    description: 'Compare the tables of the database with the model; exit code 1 when they do not fit.',
    options: [['--strict', 'what is there in addition counts, too']],
  },
  {
    name: 'accept',
    description: 'Take the present text of a migration that ran here with another one.',
    argument: ['name', 'its name, as "status" shows it'],
  },
  {
    name: 'baseline',
    description: 'Record the migrations as run, in a database whose tables were there before.',
    options: [
      ['--to <name>', 'the last migration that is recorded; the last of all without it'],
      ['--dry-run', 'print the SQL and change nothing'],
    ],
  },
  {
    name: 'revert',
    description: 'Undo the latest migration of the application, or several.',
    options: [
      ['--steps <n>', 'how many migrations; 1 without it'],
      ['--to <name>', 'all that ran after this one, which stays'],
      ['--allow-data-loss', 'run statements that lose data, too'],
      ['--dry-run', 'print the SQL and change nothing'],
      ...PATIENCE,
    ],
  },
];

/** `lintel migrate …`: the migration tool, with the database of this folder where none is named. */
export function migrateCommand(context: CommandContext): Command {
  const group = new Command('migrate')
    .description('Write, run and check the migrations of the application.')
    .addHelpText(
      'after',
      '\nWithout --url and SVC_DATASOURCE_URL they work with the PostgreSQL of this folder, that of "npm start".',
    );
  for (const { name, description, argument, options = [] } of COMMANDS) {
    const command = group.command(name).description(description);
    if (argument !== undefined) command.argument(`<${argument[0]}>`, argument[1]);
    command
      .option('--application <module>', 'path or package of the application (svc.application); this folder without it')
      .option('--url <url>', 'PostgreSQL URL (svc.datasource.url)')
      .option('--json', 'print the result as JSON');
    for (const [flags, text] of options) command.option(flags, text);
    command.action(async () => {
      const { migrate } = await import('./migrate.ts');
      context.setExitCode(await migrate([name, ...command.args, ...flagsOf(command)], context.terminal));
    });
  }
  return group;
}

/** The options that were given, as the tool reads them. */
const flagsOf = (command: Command): readonly string[] =>
  command.options.flatMap((option) => {
    const value: unknown = command.getOptionValue(option.attributeName());
    if (option.long == null || option.long === '--verbose' || value === undefined) return [];
    if (Array.isArray(value)) return value.map((each) => `${option.long}=${String(each)}`);
    return value === true ? [option.long] : [`${option.long}=${String(value)}`];
  });
