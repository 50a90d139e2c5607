import { quoteIdentifier } from '@lintel/metadata';
import { baseOf, isText } from '../migrations/revert/keeps-values.ts';

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
