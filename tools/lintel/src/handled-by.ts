import type { CommandContext } from './program.ts';
import type { ExitCode } from './run-program.ts';

/**
 * The action of a command: its module is loaded when it runs, and gets the arguments, the options and the terminal. A
 * number that it returns is the exit code.
 */
export const handledBy =
  ({ terminal, setExitCode }: CommandContext, load: () => Promise<(...given: never[]) => unknown>) =>
  async (...given: readonly unknown[]): Promise<void> => {
    const handle = (await load()) as (...all: readonly unknown[]) => unknown;
    // The last one is the command itself.
    const code = await handle(...given.slice(0, -1), terminal);
    if (typeof code === 'number') setExitCode(code as ExitCode);
  };
