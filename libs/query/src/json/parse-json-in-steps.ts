import { type ErrorCode, PlatformError } from '@lintel/errors';
import type { ExactJson } from './exact-json.ts';
import { ExactJsonReader } from './exact-json-reader.ts';

/** Texts up to this length are read at once: that takes a few milliseconds. */
const READ_AT_ONCE = 64 * 1024;

/** Characters that are read between two pauses: a few milliseconds of work. */
const STEP_TOKENS = 5_000;

/** Arrays and objects that may be open at a time. */
export const MAX_JSON_DEPTH = 200;

/**
 * Reads a JSON text of any length without blocking the event loop for long.
 *
 * @param what names the text in the error, e.g. `The request body`
 * @param pause lets other work of the process go on
 * @throws PlatformError with `code` when the text is not JSON, or nested deeper than 200 levels
 */
export async function parseJsonInSteps(
  text: string,
  what: string,
  code: ErrorCode,
  pause: () => Promise<unknown>,
): Promise<ExactJson> {
  const reader = new ExactJsonReader(text, MAX_JSON_DEPTH);
  const maxTokens = text.length <= READ_AT_ONCE ? text.length + 1 : STEP_TOKENS;
  while (!step(reader, maxTokens, what, code)) await pause();
  return reader.value;
}

function step(reader: ExactJsonReader, maxTokens: number, what: string, code: ErrorCode): boolean {
  try {
    return reader.read(maxTokens);
  } catch (cause) {
    const why = cause instanceof RangeError ? 'is nested too deeply' : 'is not valid JSON';
    throw new PlatformError(code, `${what} ${why}`, { cause });
  }
}
