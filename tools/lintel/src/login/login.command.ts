import { Command } from 'commander';
import { handledBy } from '../handled-by.ts';
import type { CommandContext } from '../program.ts';

/** The options that name a server. */
export interface ServerOptions {
  readonly server?: string;
  readonly json?: boolean;
}

export interface LoginOptions extends ServerOptions {
  readonly client: string;
}

const SERVER = 'address of the gateway; else LINTEL_SERVER, the only server with a login, or http://localhost:8080';

/** Adds the options of a command that asks a server. */
export const withServer = (command: Command): Command =>
  command.option('--server <url>', SERVER).option('--json', 'print the result as JSON');

/** `lintel login` */
export const loginCommand = (context: CommandContext): Command =>
  new Command('login')
    .description('Log in at a server, in a browser on this or another device.')
    .option('--server <url>', SERVER)
    .option('--client <id>', 'id of a public client with the device grant', 'lintel-cli')
    .option('--json', 'print the result as JSON')
    .action(handledBy(context, async () => (await import('./log-in.ts')).logIn));

/** `lintel logout` */
export const logoutCommand = (context: CommandContext): Command =>
  withServer(new Command('logout').description('End the login at a server, with its tokens.')).action(
    handledBy(context, async () => (await import('./log-out.ts')).logOut),
  );

/** `lintel whoami` */
export const whoamiCommand = (context: CommandContext): Command =>
  withServer(new Command('whoami').description('Show who is logged in at a server.')).action(
    async (options: ServerOptions) => {
      const { whoAmI } = await import('./who-am-i.ts');
      if (!(await whoAmI(options, context.terminal))) context.setExitCode(1);
    },
  );
