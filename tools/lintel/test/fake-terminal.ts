import type { Terminal } from '../src/terminal.ts';

export interface FakeTerminal extends Terminal {
  /** What was printed as a result. */
  readonly output: () => string;
  /** What was said beside it. */
  readonly notes: () => string;
}

/** A terminal that remembers; with answers, somebody sits at it. */
export function fakeTerminal(options: { answers?: readonly string[]; input?: string } = {}): FakeTerminal {
  const printed: string[] = [];
  const noted: string[] = [];
  const answers = [...(options.answers ?? [])];
  const answer = async (): Promise<string> => {
    const next = answers.shift();
    if (next === undefined) throw new Error('There was a question too many');
    return next;
  };
  return {
    isInteractive: options.answers !== undefined,
    print: (text) => void printed.push(text),
    note: (text) => void noted.push(text),
    during: (_title, work) => work(() => {}),
    through: (_title, _total, work) => work(() => {}),
    askText: answer,
    askPassword: answer,
    readInput: async () => options.input ?? '',
    output: () => printed.join('\n'),
    notes: () => noted.join('\n'),
  };
}
