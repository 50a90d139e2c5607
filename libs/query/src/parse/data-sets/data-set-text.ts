import { dropConditions, foldCase, following, isOther, preceding, wordAt } from './drop-conditions.ts';
import { axisName, DataSetTextError, scanDataSetText, type TextToken } from './scan-data-set-text.ts';

export { DataSetTextError } from './scan-data-set-text.ts';

declare const read: unique symbol;

/** The text of a report's data set, in SQL or in the entity query language, with its placeholders found. */
export interface DataSetText {
  readonly [read]: true;
  readonly source: string;
  readonly tokens: readonly TextToken[];
}

/**
 * Reads the text of a data set: `${alias}` stands for a parameter, `${Band.field}` for a field of a band above,
 * and a fragment `[[ … ]]` is left out while a parameter in it has no value
 * (contract/report-data.md#data).
 *
 * @throws DataSetTextError with line and column
 */
export function parseDataSetText(source: string): DataSetText {
  const tokens = scanDataSetText(source);
  let depth = 0;
  for (const { kind } of tokens) {
    if (kind === 'open') depth += 1;
    if (kind === 'close') depth -= 1;
    if (depth < 0) break;
  }
  if (depth !== 0) throw new DataSetTextError('Every [[ needs its ]]', source, source.length);
  return Object.freeze({ source, tokens }) as DataSetText;
}

/** Names of the placeholders, each once; `axis@field` as `axis_field`. */
export const placeholdersOf = ({ tokens }: DataSetText): readonly string[] => [
  ...new Set(tokens.flatMap((token) => (token.kind === 'placeholder' ? [axisName(token.name)] : []))),
];

/** The values that replace the placeholders of a text. */
export interface Placeholders {
  /** Whether the parameter has no value: conditions about it disappear. Never for fields of bands. */
  isMissing(name: string): boolean;
  /** Whether the value is a collection; its own parentheses in the text are then dropped. */
  isList(name: string): boolean;
  /** Whether LIKE ignores case if the value is its pattern. */
  isFolded?(name: string): boolean;
  /** Returns the text for a placeholder; called once for each remaining one. */
  write(name: string): string;
}

/** The text without the parts that depend on missing values, and without a semicolon at its end. */
export function writeDataSetText({ tokens }: DataSetText, placeholders: Placeholders): string {
  const named = tokens.map((token) =>
    token.kind === 'placeholder' ? { ...token, name: axisName(token.name) } : token,
  );
  const isMissing = (name: string): boolean => placeholders.isMissing(name);
  const left = dropConditions(dropFragments(named, isMissing), isMissing);
  const kept = foldCase(left, (name) => placeholders.isFolded?.(name) === true);
  const texts: string[] = [];
  for (let at = 0; at < kept.length; at += 1) {
    const token = kept[at];
    if (token?.kind !== 'placeholder') {
      texts.push(token !== undefined && 'text' in token ? token.text : '');
      continue;
    }
    const [before, next = at] = [preceding(kept, at), ...following(kept, at, 1)];
    const isWrapped =
      isOther(kept, before, '(') && isOther(kept, next, ')') && [undefined, 'in'].includes(wordAt(kept, before - 1));
    const written = placeholders.write(token.name);
    texts.push(written);
    if (!placeholders.isList(token.name) || !isWrapped) continue;
    texts.fill('', before, at);
    for (; at < next; at += 1) texts.push('');
  }
  while (/^[\s;]*$/.test(texts.at(-1) ?? 'none')) texts.pop();
  return texts.join('');
}

/** Drops each `[[ … ]]` with a missing parameter in it; of nested ones the innermost. */
function dropFragments(tokens: readonly TextToken[], isMissing: (name: string) => boolean): TextToken[] {
  const open: { readonly from: number; isDropped: boolean }[] = [];
  const kept: TextToken[] = [];
  for (const token of tokens) {
    if (token.kind === 'open') open.push({ from: kept.length, isDropped: false });
    else if (token.kind === 'close') {
      const fragment = open.pop();
      if (fragment?.isDropped === true) kept.length = fragment.from;
    } else {
      const inner = open.at(-1);
      if (token.kind === 'placeholder' && inner !== undefined && isMissing(token.name)) inner.isDropped = true;
      kept.push(token);
    }
  }
  return kept;
}

/** Names that the text gives to its columns with `as`, in the spelling of the text. */
export function labelsOf({ tokens }: DataSetText): readonly string[] {
  const words = tokens.filter(({ kind }) => kind !== 'space');
  return words.flatMap((token, at) => {
    const next = words[at + 1];
    const isLabel = token.kind === 'word' && token.text.toLowerCase() === 'as' && next?.kind === 'word';
    return isLabel ? [next.text] : [];
  });
}
