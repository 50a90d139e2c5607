/** Characters of a sent value that an error repeats. */
const MAX_REPEATED = 200;

/**
 * The beginning of a text with `…`, for errors that repeat what a client sent: a response to an invalid request must not
 * grow with the request. Short texts are returned as they are.
 */
export const shortened = (text: string, maxLength: number = MAX_REPEATED): string =>
  text.length > maxLength ? `${text.slice(0, maxLength).replace(HALF_PAIR, '')}…` : text;

/** The first half of a surrogate pair, which would be no character alone. */
const HALF_PAIR = /[\uD800-\uDBFF]$/;
