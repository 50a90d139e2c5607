/** A placeholder in a template: `${name}`, `${Band.field}`, `${name[3]}`. */
export interface Alias {
  readonly name: string;
  /** Index of one character of the formatted text, from 0. */
  readonly index: number | undefined;
  readonly start: number;
  readonly end: number;
}

/** contract/report-templates.md#marks: letters, digits, `_` and `.`, then white space and an index. */
const ALIAS = /\$\{\s*([\p{L}\p{N}_.]+)\s*(?:\[(\d{1,9})\])?\s*\}/gu;

export const findAliases = (text: string): readonly Alias[] =>
  [...text.matchAll(ALIAS)].map((found) => ({
    name: found[1] as string,
    index: found[2] === undefined ? undefined : Number(found[2]),
    start: found.index,
    end: found.index + found[0].length,
  }));
