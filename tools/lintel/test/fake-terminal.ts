import type { Terminal } from '../src/terminal.ts';

export interface FakeTerminal extends Terminal {
  /** What was printed as a result. */
  readonly output: () => string;
  /** The text on standard error. */
  readonly notes: () => string;
}

/** A terminal that records its output; with inputs it is interactive. */
export function fakeTerminal(options: { inputs?: readonly string[]; input?: string } = {}): FakeTerminal {
  const printed: string[] = [];
  const noted: string[] = [];
  const inputs = [...(options.inputs ?? [])];
  const nextInput = async (): Promise<string> => {
    const next = inputs.shift();
    if (next === undefined) throw new Error('There was a question too many');
    return next;
  };
  return {
    isInteractive: options.inputs !== undefined,
    print: (text) => void printed.push(text),
    note: (text) => void noted.push(text),
    during: (_title, work) => work(() => {}),
    through: (_title, _total, work) => work(() => {}),
    askText: nextInput,
    askPassword: nextInput,
    askYes: async () => (await nextInput()) === 'yes',
    readInput: async () => options.input ?? '',
    output: () => printed.join('\n'),
    notes: () => noted.join('\n'),
  };
}
