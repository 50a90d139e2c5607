import { StartError } from '@lintel/errors';
import type { MessageBundle } from '@lintel/metadata';
import { Properties } from 'properties-file/parser';

/** A messages file that cannot be used. */
export class MessageError extends StartError {
  constructor(resource: string, problem: string) {
    super(`The messages of ${resource} are not valid: ${problem}`);
    this.name = 'MessageError';
  }
}

/**
 * The texts of a messages file in the syntax of Java properties: `key=text`, `\uXXXX` escapes, lines that
 * continue after a final `\`, comments after `#` or `!`.
 *
 * @param resource name for errors
 * @throws MessageError if a key has two texts
 */
export function parseMessages(text: string, locale: string, resource: string): MessageBundle {
  const properties = new Properties(text);
  const [collision] = properties.getKeyCollisions();
  if (collision !== undefined) {
    const lines = collision.nodes.map(({ startingLineNumber }) => startingLineNumber);
    throw new MessageError(resource, `the key ${collision.key} has several texts (lines ${lines.join(', ')})`);
  }
  return Object.freeze({ locale, texts: Object.freeze(properties.toObject()) });
}
