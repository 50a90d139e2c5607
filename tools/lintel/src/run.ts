import { createProgram } from './program.ts';
import { type ExitCode, runProgram } from './run-program.ts';
import type { Terminal } from './terminal.ts';

export type { ExitCode } from './run-program.ts';

/** Runs a command line and returns the exit code. */
export async function run(parameters: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let code: ExitCode = 0;
  const program = createProgram(terminal, (result) => {
    code = result;
  });
  return (await runProgram(program, parameters, terminal)) ?? code;
}
