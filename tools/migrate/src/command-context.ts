import type { Application } from '@lintel/application';

export interface CommandContext {
  readonly application: Application;
  readonly url: string;
  /** Where `generate` writes when the command does not say. */
  readonly folder: () => string;
  readonly now: () => Date;
  /** Called with what happens on the way. */
  readonly note: (line: string) => void;
}

/** What a command has to say, in both forms. */
export interface Answer {
  readonly exitCode: 0 | 1;
  readonly lines: readonly string[];
  readonly json: object;
}
