import { type DeadLetterContent, type KeyedDeadLetter, MAX_CONTENT_BYTES } from './event-administration.ts';

/** A letter with the beginning of its content. */
export const withContent = (letter: KeyedDeadLetter, content: Buffer): DeadLetterContent => ({
  ...letter,
  content: content.subarray(0, MAX_CONTENT_BYTES).toString('utf8'),
  isTruncated: content.length > MAX_CONTENT_BYTES,
});
