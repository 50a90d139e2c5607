import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { stdin, stdout } from 'node:process';
import { type REPLServer, start } from 'node:repl';
import { environment } from '@lintel/config/environment';
import { withAdministration } from '../administration/with-administration.ts';
import { openApplication } from '../application-context.ts';
import type { ExitCode } from '../run.ts';
import type { Terminal } from '../terminal.ts';
import { runScript } from './run-script.ts';
import type { ShellOptions } from './shell.command.ts';

/**
 * Evaluates each line that is typed, or all of a pipe as one script, whose last value is printed. Returns 1 if the script
 * of a pipe has failed.
 *
 * @throws CommandError if there is no such user
 */
export async function shell(options: ShellOptions, terminal: Terminal): Promise<ExitCode> {
  const context = await openApplication(options);
  return withAdministration(context, terminal, async ({ application, data, as }) => {
    const variables = {
      application,
      model: application.model,
      data: options.user === undefined ? data : await as(options.user),
      as,
    };
    if (stdin.isTTY !== true || stdout.isTTY !== true)
      return runScript(await terminal.readInput(), variables, terminal);
    const user = options.user === undefined ? '' : ` as ${options.user}`;
    const server = start({ prompt: `${application.id}${user}> `, ignoreUndefined: true });
    Object.assign(server.context, variables);
    keepHistory(server);
    await new Promise((ended) => server.once('exit', ended));
    return 0;
  });
}

/** Lines of earlier shells, in the home folder. */
function keepHistory(server: REPLServer): void {
  const home = resolve(environment()['LINTEL_HOME'] ?? '.lintel');
  mkdirSync(home, { recursive: true });
  server.setupHistory(join(home, 'shell-history'), () => {});
}
