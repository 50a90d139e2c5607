import { isStartError } from '@lintel/errors';
import { type Command, CommanderError } from 'commander';
import { messageOf } from './message-of.ts';
import type { Terminal } from './terminal.ts';

/** 0: done. 1: a check says no. 2: the command could not be done, or makes no sense. */
export type ExitCode = 0 | 1 | 2;

/**
 * Runs a command line of a program; returns 2 if it fails and undefined if it does not. Problems are one sentence;
 * `--verbose` adds where they come from.
 */
export async function runProgram(
  program: Command,
  parameters: readonly string[],
  terminal: Terminal,
): Promise<ExitCode | undefined> {
  try {
    await program.parseAsync([...parameters], { from: 'user' });
    return undefined;
  } catch (error) {
    // Help and version are thrown, too; the parser has shown its own complaints.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const message = messageOf(error);
    if (parameters.includes('--json')) terminal.print(JSON.stringify({ error: message }));
    else terminal.note(message);
    if (parameters.includes('--verbose')) terminal.note(stackOf(error));
    else if (!isStartError(error)) terminal.note('Add --verbose to see where this comes from.');
    return 2;
  }
}

/** Has a command throw instead of ending the process, and write to the terminal. */
export const attachToTerminal = (command: Command, terminal: Terminal): Command =>
  command
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.print(text.replace(/\n$/, '')),
      writeErr: (text) => terminal.note(text.replace(/\n$/, '')),
    })
    .showHelpAfterError('Add --help to see what there is.');

const stackOf = (error: unknown): string => {
  if (!(error instanceof Error)) return '';
  return error.cause === undefined ? String(error.stack) : `${error.stack}\nCaused by: ${stackOf(error.cause)}`;
};
