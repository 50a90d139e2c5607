import type { Application } from '@lintel/application';

export interface CommandContext {
  readonly application: Application;
  readonly url: string;
  /** Folder of `generate` where the command names none. */
  readonly folder: () => string;
  readonly now: () => Date;
  /** Called with progress messages. */
  readonly note: (line: string) => void;
  /** Whether the database belongs to the folder, and is one of development. */
  readonly isOwnDatabase?: boolean;
  /** Asks a question that is answered with yes or no; undefined if nobody can be asked. */
  readonly ask?: (question: string) => Promise<boolean>;
}

/** The result of a command, in both formats. */
export interface CommandResult {
  readonly exitCode: 0 | 1;
  readonly lines: readonly string[];
  readonly json: object;
}
