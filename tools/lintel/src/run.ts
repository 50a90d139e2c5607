import { isStartError } from '@lintel/errors';
import { CommanderError } from 'commander';
import { messageOf } from './message-of.ts';
import { createProgram } from './program.ts';
import type { Terminal } from './terminal.ts';

/** 0: done. 1: a check says no. 2: the command could not be done, or makes no sense. */
export type ExitCode = 0 | 1 | 2;

/** Runs a command line and returns the exit code. Problems are one sentence; `--verbose` adds where they come from. */
export async function run(parameters: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let code: ExitCode = 0;
  const program = createProgram(terminal, (result) => {
    code = result;
  });
  try {
    await program.parseAsync([...parameters], { from: 'user' });
    return code;
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

const stackOf = (error: unknown): string => {
  if (!(error instanceof Error)) return '';
  return error.cause === undefined ? String(error.stack) : `${error.stack}\nCaused by: ${stackOf(error.cause)}`;
};
