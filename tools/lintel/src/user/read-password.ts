import { readFileSync } from 'node:fs';
import { CommandError } from '../command-error.ts';
import type { Terminal } from '../terminal.ts';

/**
 * A password or secret: from a file, from a prompt that is repeated, or from standard input. Never from the command
 * line, which every user of the machine can see.
 *
 * @param prompt what is asked for: `Password of berta`
 * @throws CommandError where it is empty or was typed differently
 */
export async function readPassword(prompt: string, file: string | undefined, terminal: Terminal): Promise<string> {
  const password = withoutLineEnd(await given(prompt, file, terminal));
  if (password === '') throw new CommandError('The password is empty', 'Give one of at least one character');
  return password;
}

async function given(prompt: string, file: string | undefined, terminal: Terminal): Promise<string> {
  if (file !== undefined) return readFile(file);
  if (!terminal.isInteractive) return terminal.readInput();
  const first = await terminal.askPassword(prompt);
  if ((await terminal.askPassword('The same again')) === first) return first;
  throw new CommandError('The two passwords differ', 'Nothing was written; try again');
}

function readFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new CommandError(
      `The password file cannot be read (${cause instanceof Error ? cause.message : String(cause)})`,
      'Check --password-file',
      { cause },
    );
  }
}

const withoutLineEnd = (text: string): string => text.replace(/\r?\n$/, '');
