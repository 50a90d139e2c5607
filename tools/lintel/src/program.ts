import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { asyncApiCommand } from './asyncapi/asyncapi.command.ts';
import { binCommand } from './bin/bin.command.ts';
import { clientCommand } from './client/client.command.ts';
import { completionCommand } from './completion/completion.command.ts';
import { configCommand } from './config/config.command.ts';
import { dataCommand } from './data/data.command.ts';
import { dbCommand } from './db/db.command.ts';
import { deployCommand } from './deploy/deploy.command.ts';
import { doctorCommand } from './doctor/doctor.command.ts';
import { eventsCommand } from './events/events.command.ts';
import { historyCommand } from './history/history.command.ts';
import { initCommand } from './init/init.command.ts';
import { introspectCommand } from './introspect/introspect.command.ts';
import { loginCommand, logoutCommand, whoamiCommand } from './login/login.command.ts';
import { mailCommand } from './mail/mail.command.ts';
import { migrateCommand } from './migrate/migrate.command.ts';
import { openApiCommand } from './openapi/openapi.command.ts';
import { personCommand } from './person/person.command.ts';
import { reportCommand } from './report/report.command.ts';
import { roleCommand } from './role/role.command.ts';
import { attachToTerminal, type ExitCode } from './run-program.ts';
import { serveCommand } from './serve/serve.command.ts';
import { shellCommand } from './shell/shell.command.ts';
import {
  compileAheadCommand,
  devCommand,
  serveServiceCommand,
  startCommand,
  workerCommand,
} from './start/start.command.ts';
import type { Terminal } from './terminal.ts';
import { testCommand } from './test/test.command.ts';
import { userCommand } from './user/user.command.ts';
import { webhookCommand } from './webhook/webhook.command.ts';

/** What the commands are given. */
export interface CommandContext {
  readonly terminal: Terminal;
  /** The exit code of a command that has run; 0 where it says nothing. */
  readonly setExitCode: (code: ExitCode) => void;
}

const COMMANDS = [
  initCommand,
  startCommand,
  devCommand,
  testCommand,
  serveCommand,
  serveServiceCommand,
  workerCommand,
  compileAheadCommand,
  migrateCommand,
  introspectCommand,
  dbCommand,
  shellCommand,
  binCommand,
  userCommand,
  roleCommand,
  reportCommand,
  mailCommand,
  loginCommand,
  logoutCommand,
  whoamiCommand,
  eventsCommand,
  webhookCommand,
  historyCommand,
  personCommand,
  dataCommand,
  openApiCommand,
  asyncApiCommand,
  clientCommand,
  configCommand,
  doctorCommand,
  deployCommand,
  completionCommand,
];

const version = (): string =>
  (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }).version;

/** All commands. What a command needs is loaded when it runs, so that `--help` is there at once. */
export function createProgram(terminal: Terminal, setExitCode: CommandContext['setExitCode']): Command {
  const program = new Command('lintel')
    .description('Scaffolds, starts, migrates and checks applications of Lintel.')
    .version(version())
    .helpCommand(true)
    .showHelpAfterError('Add --help to see what there is.')
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 a check says no, 2 the command could not be done.\nPassword-like values are never options: they are asked for, or read from standard input or a file.',
    );
  for (const create of COMMANDS) program.addCommand(create({ terminal, setExitCode }));
  for (const command of [program, ...program.commands, ...program.commands.flatMap((group) => group.commands)])
    attachToTerminal(command, terminal);
  for (const command of leaves(program)) command.option('--verbose', 'show where an error comes from');
  return program;
}

const leaves = (command: Command): readonly Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
