import { ExactNumber, type NumberAttributes, type NumberKinds, typeNumbers } from './type-numbers.ts';

type Reviver = (this: unknown, key: string, value: unknown, context?: { readonly source?: string }) => unknown;
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;

/**
 * Parses JSON without loss: the attributes that `kinds` names are texts with all their digits. A number whose type is
 * unknown is a number if this keeps its value, else its text. `attributes` are those of the root, if it does not name
 * its entity.
 */
export function parseExact(json: string, kinds: NumberKinds, attributes?: NumberAttributes): unknown {
  return typeNumbers(parseNumbers(json), kinds, attributes);
}

/** Parses JSON whose numbers are typed later: those that a double may change are an {@link ExactNumber}. */
export const parseNumbers = (json: string): unknown => parse(givesSource() ? json : wrapNumbers(json), revive);

/** A member that is in no JSON of the API. */
const WRAPPED = '\u0000';

function revive(this: unknown, _key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value === 'number') return exactNumber(value, context?.source ?? String(value));
  const wrapped = (value as Record<string, unknown> | null)?.[WRAPPED];
  return typeof wrapped === 'string' ? exactNumber(Number(wrapped), wrapped) : value;
}

const exactNumber = (value: number, source: string): number | ExactNumber =>
  String(value) === source ? value : new ExactNumber(source);

let sourceIsGiven: boolean | undefined;

/** Whether `JSON.parse` gives its callback the text of a number, as it does since 2024. */
function givesSource(): boolean {
  if (sourceIsGiven === undefined) {
    parse('1', (_key, value, context) => {
      sourceIsGiven = context?.source === '1';
      return value;
    });
  }
  return sourceIsGiven === true;
}

/** Texts are matched first, so that no number within a text is changed. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** JSON in which each number that a double would change is an object with its text. */
export const wrapNumbers = (json: string): string =>
  json.replace(TOKEN, (token) =>
    token.startsWith('"') || String(Number(token)) === token ? token : `{"\\u0000":"${token}"}`,
  );
