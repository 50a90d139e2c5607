import { Command } from 'commander';
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

/** `lintel login` */
export const loginCommand = ({ terminal }: CommandContext): Command =>
  new Command('login')
    .description('Log in at a server, in a browser on this or another device.')
    .option('--server <url>', SERVER)
    .option('--client <id>', 'id of a public client with the device grant', 'lintel-cli')
    .option('--json', 'print the result as JSON')
    .action(async (options: LoginOptions) => {
      const { logIn } = await import('./log-in.ts');
      await logIn(options, terminal);
    });

/** `lintel logout` */
export const logoutCommand = ({ terminal }: CommandContext): Command =>
  new Command('logout')
    .description('End the login at a server, with its tokens.')
    .option('--server <url>', SERVER)
    .option('--json', 'print the result as JSON')
    .action(async (options: ServerOptions) => {
      const { logOut } = await import('./log-out.ts');
      await logOut(options, terminal);
    });

/** `lintel whoami` */
export const whoamiCommand = ({ terminal, setExitCode }: CommandContext): Command =>
  new Command('whoami')
    .description('Show who is logged in at a server.')
    .option('--server <url>', SERVER)
    .option('--json', 'print the result as JSON')
    .action(async (options: ServerOptions) => {
      const { whoAmI } = await import('./who-am-i.ts');
      if (!(await whoAmI(options, terminal))) setExitCode(1);
    });
