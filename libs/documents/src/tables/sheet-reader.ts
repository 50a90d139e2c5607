import { OoxmlError } from '../rendering/ooxml/ooxml-package.ts';
import { parseArea } from '../rendering/xlsx/cells/area.ts';
import { fromCellText } from '../rendering/xlsx/cells/cell-text-form.ts';
import type { PartHandler } from './parse-part.ts';
import type { SheetCell } from './sheet-rows.ts';

const MAX_COLUMNS = 16_384;
const MAX_ROW_CHARACTERS = 1_048_576;
/** A text that cells share is counted with each of them. */
const MAX_CHARACTERS = 100 * 1_048_576;

/** A cell whose element is open. */
interface OpenCell {
  readonly name: string;
  readonly column: number;
  readonly type: string;
  readonly isDate: boolean;
  text: string | undefined;
  isFormula: boolean;
}

/** Collects the rows of the part of a sheet. */
export class SheetReader implements PartHandler {
  readonly #strings: readonly string[];
  readonly #dateStyles: readonly boolean[];
  #rows: SheetCell[][] = [];
  #row: SheetCell[] = [];
  #number = 0;
  #characters = 0;
  #total = 0;
  /** Column of the last cell of the row, which may be empty. */
  #column = 0;
  #cell: OpenCell | undefined;
  #isText = false;
  #isHint = false;

  constructor(strings: readonly string[], dateStyles: readonly boolean[]) {
    this.#strings = strings;
    this.#dateStyles = dateStyles;
  }

  /** The rows that were read since the last call. */
  takeRows(): readonly (readonly SheetCell[])[] {
    const rows = this.#rows;
    if (rows.length > 0) this.#rows = [];
    return rows;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'row') {
      this.#number = Number(attributes['r'] ?? this.#number + 1);
      this.#row = [];
      this.#characters = 0;
      this.#column = 0;
    } else if (name === 'c') this.#cell = this.#openCell(attributes);
    else if (name === 'f' && this.#cell !== undefined) this.#cell.isFormula = true;
    else if (name === 'rPh') this.#isHint = true;
    else if ((name === 'v' || name === 't') && this.#cell !== undefined) this.#isText = !this.#isHint;
    else if (name === 'mergeCell')
      throw new OoxmlError(`the cells ${attributes['ref']} are merged: each cell of a table has its own value`);
  }

  text(text: string): void {
    if (!this.#isText || this.#cell === undefined) return;
    this.#count(text.length);
    this.#cell.text = (this.#cell.text ?? '') + text;
  }

  close(name: string): void {
    if (name === 'v' || name === 't') this.#isText = false;
    else if (name === 'rPh') this.#isHint = false;
    else if (name === 'row') {
      if (this.#row.some((cell) => cell !== null)) this.#rows.push(this.#row);
    } else if (name === 'c' && this.#cell !== undefined) {
      const value = this.#valueOf(this.#cell);
      if (value !== null) this.#put(this.#cell.column, value);
      this.#cell = undefined;
    }
  }

  #openCell({ r, t = 'n', s = '0' }: Readonly<Record<string, string>>): OpenCell {
    const area = r === undefined ? undefined : parseArea(r);
    if (r !== undefined && area === undefined) throw new OoxmlError(`there is no cell ${r.slice(0, 20)}`);
    const column = area?.left ?? this.#column + 1;
    this.#column = column;
    if (column > MAX_COLUMNS) throw new OoxmlError(`the cell ${r} is behind the last column of a sheet`);
    const name = r ?? `${column} of row ${this.#number}`;
    return { name, column, type: t, isDate: this.#dateStyles[Number(s)] === true, text: undefined, isFormula: false };
  }

  #put(column: number, value: SheetCell): void {
    while (this.#row.length < column - 1) this.#row.push(null);
    this.#row[column - 1] = value;
  }

  #count(characters: number): void {
    this.#characters += characters;
    this.#total += characters;
    if (this.#total > MAX_CHARACTERS) throw new OoxmlError(`the sheet has more than ${MAX_CHARACTERS} characters`);
    if (this.#characters > MAX_ROW_CHARACTERS)
      throw new OoxmlError(`row ${this.#number} has more than ${MAX_ROW_CHARACTERS} characters`);
  }

  #valueOf({ name, type, text, isDate, isFormula }: OpenCell): SheetCell {
    if (text === undefined)
      return isFormula && type !== 'str'
        ? { error: 'a formula without a stored value' }
        : type === 'inlineStr'
          ? ''
          : null;
    switch (type) {
      case 's': {
        const shared = this.#strings[Number(text)];
        if (shared === undefined) throw new OoxmlError(`the cell ${name} names a text that the workbook does not have`);
        this.#count(shared.length);
        return shared;
      }
      case 'b':
        return text.trim() === '1' || text.trim() === 'true' ? 'true' : 'false';
      case 'e':
        return { error: text };
      case 'n': {
        const number = Number(text);
        if (text.trim() === '' || !Number.isFinite(number))
          throw new OoxmlError(`the cell ${name} has a number that cannot be read`);
        return isDate ? { serial: number } : String(number);
      }
      default:
        return type === 'str' && text === '' ? null : fromCellText(text);
    }
  }
}
