import { createHash } from 'node:crypto';
import type { DeadLetter } from './event-administration.ts';

const KEY_CHARACTERS = 22;

/** The key of a letter: safe in a URL, and the same wherever it is computed. */
export const deadLetterKey = ({ service, queue, id }: DeadLetter, content: Buffer): string =>
  createHash('sha256')
    .update(JSON.stringify([service, queue ?? null, id ?? null]))
    .update(content)
    .digest('base64url')
    .slice(0, KEY_CHARACTERS);
