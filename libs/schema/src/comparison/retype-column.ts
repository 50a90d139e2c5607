import { quoteIdentifier } from '@lintel/metadata';

const isText = (type: string): boolean => /^(character varying|text|character)\b/.test(type);

/** Texts are one type here, with a length or without one. */
const baseOf = (type: string): string => type.replace(/\(.*\)/, '').replace(/^text$/, 'character varying');

const INTEGERS = ['smallint', 'integer', 'bigint'];

/** Types to which every value is cast exactly, or the cast fails. */
const EXACT = /^(character varying|text|uuid$)/;

const limitsOf = (type: string): readonly number[] =>
  (/\((.*)\)/.exec(type)?.[1] ?? '').split(',').filter(Boolean).map(Number);

/** Whether a change of a type keeps every value, or fails. Others may round values or cut them off. */
export function keepsValues(from: string, to: string): boolean {
  if (EXACT.test(to)) return true;
  if (INTEGERS.includes(from)) return INTEGERS.includes(to) || (to.startsWith('numeric') && !to.includes(',-'));
  if (baseOf(from) !== baseOf(to)) return false;
  if (from === to || limitsOf(to).length === 0) return true;
  // The digits after the point, or of a fraction of a second; too many digits before the point are refused.
  const [old = Number.POSITIVE_INFINITY] = limitsOf(from).slice(-1);
  return old <= (limitsOf(to).at(-1) ?? 0);
}

/**
 * The actions that change the type of a column and change it back. The values are converted, not dropped; the collation
 * stays.
 *
 * @param types as PostgreSQL prints them
 * @param stored the definition of the column
 */
export function retypeColumn(
  name: string,
  types: { readonly expected?: string; readonly actual?: string },
  stored: string,
): { readonly up: string; readonly down: string } {
  const { expected = '', actual = '' } = types;
  const collation = / COLLATE (?:"[^"]+"|\w+)\.(?:"[^"]+"|\w+)/.exec(stored)?.[0] ?? '';
  const type = (to: string, from: string): string => {
    // The assignment cast between lengths refuses values that do not fit; an explicit cast would truncate them.
    const cast = isText(to) ? 'text' : to;
    const using = baseOf(to) === baseOf(from) ? '' : ` USING ${quoteIdentifier(name)}::${cast}`;
    return `TYPE ${to}${isText(to) ? collation : ''}${using}`;
  };
  return { up: type(expected, actual), down: type(actual, expected) };
}
