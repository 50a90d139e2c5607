import type { ViolatedReference } from './database-error.ts';

/** `(order_id, position)=(7, 1)`: this part of the detail is the same in all languages of the server. */
const KEY = /\(([^()]+)\)=\((.*)\)(?=[^()]*$)/;

/** The quotation marks of the server's languages. */
/** «» „“” 「」, escaped: one character above U+00FF makes the text of a bundle take twice the memory. */
const QUOTES = /["\u00ab\u00bb\u201e\u201c\u201d\u300c\u300d]/g;

/**
 * The side of a foreign key that a statement violated. The error of a row that refers to a missing one names two
 * things, its table and the constraint; that of a deleted row also names the other table.
 *
 * @returns undefined if the error has no detail that can be read
 */
export function violatedReferenceOf(error: object): ViolatedReference | undefined {
  const { message, detail } = error as { readonly message?: unknown; readonly detail?: unknown };
  if (typeof message !== 'string' || typeof detail !== 'string') return undefined;
  const [, columns, values] = KEY.exec(detail) ?? [];
  if (columns === undefined || values === undefined) return undefined;
  return {
    kind: (message.match(QUOTES)?.length ?? 0) > 4 ? 'used' : 'missing',
    columns: columns.split(', ').map((column) => column.replace(/^"(.*)"$/, '$1')),
    values,
  };
}
