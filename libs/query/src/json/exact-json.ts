import { type ErrorCode, PlatformError } from '@lintel/errors';

/** Members of `JSON` in the language that TypeScript's library does not declare yet. */
interface RawJson {
  rawJSON(text: string): object;
}
const rawJson = (JSON as unknown as RawJson).rawJSON;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * A JSON number as it was written: exact where a binary float would not be (contract/decisions.md#15).
 * `JSON.stringify` writes the same text again.
 */
export class ExactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
    Object.freeze(this);
  }

  toJSON(): object {
    return rawJson(this.text);
  }

  toString(): string {
    return this.text;
  }
}

/** A JSON value whose numbers are `ExactNumber`. */
export type ExactJson =
  | null
  | boolean
  | string
  | ExactNumber
  | readonly ExactJson[]
  | { readonly [member: string]: ExactJson };

/** A JSON object whose numbers are `ExactNumber`. */
export type ExactObject = { readonly [member: string]: ExactJson };

type ExactReviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

const keepNumbers: ExactReviver = (_key, value, context) =>
  typeof value === 'number' ? new ExactNumber(context.source ?? String(value)) : value;

/**
 * Reads strict JSON (RFC 8259) without losing a digit.
 *
 * @throws SyntaxError when the text is not JSON; RangeError when it is nested too deeply to be read
 */
export function readExactJson(text: string): ExactJson {
  // Most of what clients send has no numbers in it, and without a reviver reading is several times as fast.
  const value = JSON.parse(text) as unknown;
  return holdsNumber(value)
    ? (JSON.parse(text, keepNumbers as (key: string, value: unknown) => unknown) as ExactJson)
    : (value as ExactJson);
}

function holdsNumber(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'number';
  return Array.isArray(value) ? value.some(holdsNumber) : Object.values(value).some(holdsNumber);
}

/**
 * Reads a JSON text that a client sent.
 *
 * @param what names the text in the error, e.g. `The request body`
 * @throws PlatformError with `code` when the text is not JSON, or nested deeper than 200 levels: no stage that follows
 *   can exhaust the stack
 */
export function parseExactJson(text: string, what: string, code: ErrorCode = 'REQ_MALFORMED_JSON'): ExactJson {
  if (isNestedDeeper(text, MAX_LEVELS))
    throw new PlatformError(code, `${what} is nested too deeply: more than ${MAX_LEVELS} levels`);
  try {
    return readExactJson(text);
  } catch (cause) {
    throw new PlatformError(code, `${what} is not valid JSON`, { cause });
  }
}

const MAX_LEVELS = 200;

/** Whether more arrays and objects are open at a time than that, in one pass over the brackets of the text. */
export function isNestedDeeper(text: string, levels: number): boolean {
  // Each level has two brackets.
  if (text.length <= 2 * levels) return false;
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) isInText = !isInText;
    else if (isInText) at += code === BACKSLASH ? 1 : 0;
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      depth += 1;
      if (depth > levels) return true;
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) depth -= 1;
  }
  return false;
}

/** Whether the value is a JSON object, neither null nor an array nor a number. */
export const isExactObject = (value: unknown): value is ExactObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
