import { StartError } from '@lintel/errors';

/** What a command cannot do, in one sentence, and what to do about it. */
export class CommandError extends StartError {
  constructor(problem: string, remedy: string, options?: ErrorOptions) {
    super(`${problem}. ${remedy}.`, options);
    this.name = 'CommandError';
  }
}
