import { confirm, password, progress, spinner, text } from '@clack/prompts';
import { CommandError } from './command-error.ts';
import { ignoreClosedPipes } from './ignore-closed-pipes.ts';

/** What commands show and ask. Results go to standard output; progress, notes and questions to standard error. */
export interface Terminal {
  /** Whether a user can be prompted. */
  readonly isInteractive: boolean;
  print(text: string): void;
  note(text: string): void;
  /** Shows work that takes its time: moving in a terminal, nothing elsewhere. */
  during<T>(title: string, work: (onStep: (step: string) => void) => Promise<T>): Promise<T>;
  /** The same with a bar of `total` steps; `advance` takes one. */
  through<T>(title: string, total: number, work: (advance: (step: string) => void) => Promise<T>): Promise<T>;
  askText(question: string, initial: string, problemOf: (input: string) => string | undefined): Promise<string>;
  askPassword(question: string): Promise<string>;
  /** A question that is answered with yes or no; no is proposed. */
  askYes(question: string): Promise<boolean>;
  /** All of standard input. */
  readInput(): Promise<string>;
}

/** The terminal of a process. */
export function createTerminal({
  stdin,
  stdout,
  stderr,
}: Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr'>): Terminal {
  ignoreClosedPipes(stdout, stderr);
  const isInteractive = stdin.isTTY === true && stderr.isTTY === true;
  const streams = { input: stdin, output: stderr };
  const typed = (input: string | symbol): string => {
    if (typeof input !== 'string') throw new CommandError('Nothing was done', 'The prompt was cancelled');
    return input;
  };
  const running = async <T>(
    indicator: Pick<ReturnType<typeof spinner>, 'start' | 'stop' | 'error'>,
    title: string,
    work: () => Promise<T>,
  ): Promise<T> => {
    indicator.start(title);
    try {
      const result = await work();
      indicator.stop(title);
      return result;
    } catch (error) {
      indicator.error(title);
      throw error;
    }
  };
  return {
    isInteractive,
    print: (line) => void stdout.write(`${line}\n`),
    note: (line) => void stderr.write(`${line}\n`),
    during(title, work) {
      if (stderr.isTTY !== true) return work(() => {});
      const indicator = spinner({ ...streams, indicator: 'timer' });
      return running(indicator, title, () => work((step) => indicator.message(`${title}: ${step}`)));
    },
    through(title, total, work) {
      if (stderr.isTTY !== true) return work(() => {});
      const bar = progress({ ...streams, max: Math.max(1, total) });
      return running(bar, title, () => work((step) => bar.advance(1, step)));
    },
    askText: async (message, initialValue, problemOf) =>
      typed(
        await text({
          ...streams,
          message,
          initialValue,
          placeholder: initialValue,
          validate: (value) => problemOf(value ?? ''),
        }),
      ),
    askPassword: async (message) => typed(await password({ ...streams, message })),
    askYes: async (message) => (await confirm({ ...streams, message, initialValue: false })) === true,
    async readInput() {
      let all = '';
      stdin.setEncoding('utf8');
      for await (const chunk of stdin) all += String(chunk);
      return all;
    },
  };
}
