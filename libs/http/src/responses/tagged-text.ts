import { hash } from 'node:crypto';

/** A response body with its entity tag. */
export interface TaggedText {
  readonly text: string;
  /** The `ETag`: equal for equal texts. */
  readonly tag: string;
}

/** A text with its tag. */
export const taggedText = (text: string): TaggedText =>
  Object.freeze({ text, tag: `"${hash('sha256', text, 'base64url').slice(0, 22)}"` });

/** The JSON of a value with its tag. */
export const tagged = (value: unknown): TaggedText => taggedText(JSON.stringify(value));
