import { explainingRefusals } from '../administration/refusals.ts';
import { withAdministration } from '../administration/with-administration.ts';
import { openApplication } from '../application-context.ts';
import type { Terminal } from '../terminal.ts';
import { requireUser } from './find-user.ts';
import { readPassword } from './read-password.ts';
import type { PasswordOptions } from './user.command.ts';

/**
 * Sets the password of a user.
 *
 * @throws CommandError where there is no such user, or the password breaks a rule
 */
export async function setPassword(username: string, options: PasswordOptions, terminal: Terminal): Promise<void> {
  const context = await openApplication(options);
  await withAdministration(context, terminal, async ({ data }) => {
    // Before the question: a name that does not exist is noticed first.
    const { id } = await requireUser(data, username);
    const password = await readPassword(`Password of ${username}`, options.passwordFile, terminal);
    await explainingRefusals('The password', () => data.update('sec_User', id, { password }));
  });
  if (options.json === true) terminal.print(JSON.stringify({ username }, null, 2));
  else terminal.print(`Changed the password of ${username}.`);
}
