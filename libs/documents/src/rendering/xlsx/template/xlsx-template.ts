import type { TextPieces } from '../../aliases.ts';
import type { OoxmlPackage } from '../../ooxml/ooxml-package.ts';
import type { Area } from '../cells/area.ts';

/** Content of a cell of the template. Static content is copied unchanged. */
export type CellContent =
  | { readonly kind: 'empty' }
  /** `attributes` and `body` of the cell's element: ` t="s"`, `<v>3</v>`. */
  | {
      readonly kind: 'static';
      readonly attributes: string;
      readonly body: string;
      readonly text: string;
      /** Number of the shared string in the template; the result has another number. */
      readonly shared: number | undefined;
    }
  /** Text with aliases. */
  | {
      readonly kind: 'text';
      readonly pieces: TextPieces;
      /** XML of the format of each piece; undefined where they have none of their own. */
      readonly formats?: readonly string[] | undefined;
    }
  | {
      readonly kind: 'formula';
      readonly pieces: TextPieces;
      /** Cells that an array formula fills; undefined for ordinary formulas. */
      readonly array: Area | undefined;
      /** The attribute of a formula that fills as many cells as it has values; empty for others. */
      readonly metadata: string;
    };

export interface CellTemplate {
  /** Index of the cell format. */
  readonly style: string | undefined;
  readonly content: CellContent;
}

export interface RowTemplate {
  readonly cells: ReadonlyMap<number, CellTemplate>;
  /** In points. */
  readonly height: number | undefined;
  readonly outlineLevel: number | undefined;
  readonly isHidden: boolean;
  /** Other attributes of the element that copies have: the format of the whole row, thick borders, a closed group. */
  readonly attributes: string;
}

/** Definition of consecutive columns; `attributes` are those of the element without `min` and `max`. */
export interface ColumnTemplate {
  readonly first: number;
  readonly last: number;
  /** In characters of the standard font; undefined for the standard width. */
  readonly width: number | undefined;
  readonly attributes: Readonly<Record<string, string>>;
}

export interface SheetTemplate {
  /** From 0, in the order of the workbook. */
  readonly index: number;
  /** May contain aliases. */
  readonly name: string;
  readonly part: string;
  /** The sheet's XML without its cells; undefined for a sheet without any, which is a chart or a dialog. */
  readonly shell: Uint8Array | undefined;
  readonly rows: ReadonlyMap<number, RowTemplate>;
  readonly columns: readonly ColumnTemplate[];
  readonly merges: readonly Area[];
  /** Rows with a manual break below them. */
  readonly breaks: ReadonlySet<number>;
  /** Numbers of the rows that have content or a break, in their order. */
  readonly filledRows: readonly number[];
  /** Cells of hyperlinks and sparklines. */
  readonly linked: readonly Area[];
  /** Names of bands in aliases outside of cells: in the name of the sheet, headers and footers. */
  readonly namedOutside: ReadonlySet<string>;
}

/** The range of a band in the template. */
export interface BandRange {
  readonly band: string;
  readonly sheet: SheetTemplate;
  readonly area: Area;
  /** The filled rows of the area: it may have a million others. */
  readonly rows: readonly number[];
}

/** A named range with a hint for the cells of a band. */
export interface Hint {
  readonly kind: 'style' | 'rowAutoHeight';
  /** Names the cell style, for `style`. */
  readonly field: string;
  readonly sheet: SheetTemplate;
  readonly area: Area;
}

/** The shared strings of the template. */
export interface SharedStrings {
  /** Name of the part; undefined where there is none. */
  readonly part: string | undefined;
  readonly namespace: string;
  /** XML of the elements `si`, including formats within the texts, by number; only those without aliases. */
  readonly items: ReadonlyMap<number, string>;
}

/** A checked workbook template; runs share it and never change it. */
export interface XlsxTemplate {
  readonly parts: OoxmlPackage;
  readonly workbookPart: string;
  readonly sheets: readonly SheetTemplate[];
  /** In the order of the workbook's names. */
  readonly ranges: ReadonlyMap<string, BandRange>;
  readonly hints: readonly Hint[];
  readonly sharedStrings: SharedStrings;
  readonly isCalendarOf1904: boolean;
}
