import { MAX_SEARCH_LENGTH } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { searchWords } from '@lintel/metadata';
import type { SearchCondition } from '../ast/condition.ts';
import { type ExactJson, ExactNumber, type ExactObject } from '../json/exact-json.ts';
import { integerText } from '../literals/integer-text.ts';
import type { ParsedSortKey } from './parsed-query.ts';

const TRUE = new Set(['true', 'on', 'yes', '1']);
const FALSE = new Set(['false', 'off', 'no', '0']);
/** Beyond it a page could not be counted exactly, and no table is that long. */
const GREATEST_COUNT_DIGITS = 15;

const refuse = (name: string, what: string): PlatformError =>
  new PlatformError('REQ_INVALID_PARAMETER', `Parameter '${name}' must be ${what}`);

/** An empty text is an absent parameter. */
const given = (members: ExactObject, name: string): ExactJson | undefined =>
  members[name] === '' ? undefined : members[name];

/** The same without the blanks around a text, which do not count for numbers and flags. */
function givenTrimmed(members: ExactObject, name: string): ExactJson | undefined {
  const value = given(members, name);
  if (typeof value !== 'string') return value;
  const text = value.trim();
  return text === '' ? undefined : text;
}

/** A zero-based count (`limit`, `offset`): digits, or a JSON number without a fraction. */
export function parseCount(members: ExactObject, name: string): number | undefined {
  const value = givenTrimmed(members, name);
  if (value === undefined) return undefined;
  const text = value instanceof ExactNumber ? integerText(value.text) : value;
  if (typeof text !== 'string' || !/^\d+$/.test(text)) throw refuse(name, 'an integer that is not negative');
  if (text.length > GREATEST_COUNT_DIGITS) throw refuse(name, `an integer of at most ${GREATEST_COUNT_DIGITS} digits`);
  return Number(text);
}

/** A flag: `true/on/yes/1` or `false/off/no/0` in any case, or a JSON boolean; absent is false. */
export function parseFlag(members: ExactObject, name: string): boolean {
  const value = givenTrimmed(members, name);
  if (value === undefined) return false;
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  if (TRUE.has(text)) return true;
  if (FALSE.has(text)) return false;
  throw refuse(name, 'true or false');
}

/** `only` or `with`; absent is undefined. */
export function parseDeleted(members: ExactObject): 'only' | 'with' | undefined {
  const value = given(members, 'deleted');
  if (value === undefined || value === 'only' || value === 'with') return value;
  throw refuse('deleted', 'only or with');
}

/**
 * The searched text (contract/search.md#q), which becomes a value of the request.
 *
 * @param inputs values of the request, to which the text is added
 */
export function parseSearch(members: ExactObject, inputs: ExactJson[]): SearchCondition | undefined {
  const value = given(members, 'q');
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value.length > MAX_SEARCH_LENGTH)
    throw refuse('q', `a text of at most ${MAX_SEARCH_LENGTH} characters`);
  if (searchWords(value).length === 0) throw refuse('q', 'a text with a letter or a digit');
  return Object.freeze({ kind: 'search', index: inputs.push(value) - 1 });
}

/** Maximum number of instances whose texts are read once more for `highlights`. */
const MAX_HIGHLIGHTED = 100;

/** `highlights` (contract/search.md#highlights). */
export function parseHighlights(members: ExactObject, search: SearchCondition | undefined, limit = Infinity): boolean {
  if (!parseFlag(members, 'highlights')) return false;
  if (search === undefined || limit > MAX_HIGHLIGHTED)
    throw new PlatformError(
      'REQ_INVALID_PARAMETER',
      `Parameter 'highlights' needs 'q' and a 'limit' of at most ${MAX_HIGHLIGHTED}`,
    );
  return true;
}

/** Comma-separated attribute paths; `-` descending, `+` or nothing ascending (contract/reading.md#sort). */
export function parseSort(members: ExactObject): readonly ParsedSortKey[] {
  const value = given(members, 'sort');
  if (value === undefined) return [];
  if (typeof value !== 'string') throw refuse('sort', 'a text of comma-separated attributes');
  return value.split(',').flatMap((item): ParsedSortKey[] => {
    const text = item.trim();
    if (text === '') return [];
    const path = text.replace(/^[+-]/, '').trim();
    if (path === '') throw new PlatformError('REQ_INVALID_SORT', `Cannot sort by '${text}'`);
    return [{ path, descending: text.startsWith('-') }];
  });
}

/**
 * The position at which the page begins, from the link of an earlier response.
 *
 * @throws PlatformError REQ_INVALID_PARAMETER also together with an `offset`: a page begins at one position
 */
export function parseCursor(members: ExactObject): string | undefined {
  const value = given(members, 'cursor');
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw refuse('cursor', 'the text that an earlier response contained');
  if (given(members, 'offset') !== undefined)
    throw new PlatformError('REQ_INVALID_PARAMETER', "Parameters 'cursor' and 'offset' exclude each other");
  return value;
}
