import { StartError } from '@lintel/errors';
/** The server cannot run. The message says why, in one sentence, and what to do about it. */
export class EmbeddedDatabaseError extends StartError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EmbeddedDatabaseError';
  }
}
