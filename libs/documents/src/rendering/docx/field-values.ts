import { type BandData, firstBand, ROOT_BAND } from '../../bands/band-data.ts';
import { type Cell, EMPTY } from '../../bands/cell.ts';
import { fieldOf } from '../../bands/field-of.ts';
import { type Alias, characterOf } from '../aliases.ts';
import type { CellFormatter } from '../formats/format-cell.ts';
import type { PictureRequest } from '../images/picture-source.ts';

/** The value of an alias. */
export type FieldValue =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'html'; readonly html: string }
  | { readonly kind: 'picture'; readonly picture: PictureRequest };

/** Resolves the aliases of one run. */
export interface FieldValues {
  /** Whether the first part of the name is a band; then the alias does not belong to the repeated row. */
  namesBand(alias: Alias): boolean;
  /** Returns the value of `${Band.field}` in the first row of the band; undefined where there is no such band. */
  ofFirst(alias: Alias): FieldValue | undefined;
  /** Returns the value of `${field}` in a row; empty text where the row has no such field. */
  ofRow(row: BandData, alias: Alias): FieldValue;
}

/** @param bandNames of the definition; a band may have no rows */
export function createFieldValues(
  root: BandData,
  bandNames: ReadonlySet<string>,
  formatter: CellFormatter,
): FieldValues {
  const isBand = (name: string): boolean => name === ROOT_BAND || bandNames.has(name);
  const valueIn = ({ band, field, cell }: ResolvedField, alias: Alias): FieldValue => {
    const text = formatter.format(band, field, cell);
    const content = alias.index === undefined ? formatter.contentFormat(band, field) : undefined;
    if (content === undefined || text === '') return { kind: 'text', text: characterOf(text, alias) };
    return content.kind === 'html'
      ? { kind: 'html', html: text }
      : { kind: 'picture', picture: { ...content, source: text, field: `${band}.${field}` } };
  };
  return {
    namesBand: ({ name }) => name.includes('.') && isBand(name.slice(0, name.indexOf('.'))),
    ofFirst(alias) {
      const [head, ...rest] = alias.name.split('.');
      if (head === undefined || rest.length === 0 || !isBand(head)) return undefined;
      const band = firstBand(root, head);
      return band === undefined ? { kind: 'text', text: '' } : valueIn(resolveField(band, rest), alias);
    },
    ofRow: (row, alias) =>
      valueIn({ band: row.name, field: alias.name, cell: fieldOf(row.data, alias.name) ?? EMPTY }, alias),
  };
}

interface ResolvedField {
  readonly band: string;
  readonly field: string;
  readonly cell: Cell;
}

/** Follows the name through the first rows of child bands as far as it names such; the rest is the field. */
function resolveField(band: BandData, parts: readonly string[]): ResolvedField {
  const field = parts.join('.');
  const own = fieldOf(band.data, field);
  const [head, ...rest] = parts;
  const child = own === undefined && rest.length > 0 ? band.children.get(head ?? '')?.[0] : undefined;
  return child === undefined ? { band: band.name, field, cell: own ?? EMPTY } : resolveField(child, rest);
}

/**
 * Returns the rows of a band below the first parent that has any, depth first (contract/report-templates.md#docx, 3).
 */
export function rowsOfBand(from: BandData, name: string): readonly BandData[] {
  const own = from.children.get(name);
  if (own !== undefined && own.length > 0) return own;
  for (const rows of from.children.values())
    for (const row of rows) {
      const found = rowsOfBand(row, name);
      if (found.length > 0) return found;
    }
  return [];
}
