import type { NumberKind, TemporalKind } from '@lintel/metadata';
import { ExactNumber } from '@lintel/query';

/** A field's value with its type, for the formatter: numbers are exact texts, never binary floats. */
export type Cell =
  | { readonly kind: 'empty' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly number: NumberKind; readonly text: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  /** `text` is ISO. */
  | { readonly kind: 'temporal'; readonly temporal: TemporalKind; readonly text: string }
  | { readonly kind: 'enum'; readonly enumName: string; readonly constant: string }
  /** `value` is the instance in its JSON form. */
  | { readonly kind: 'instance'; readonly name: string; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: 'list'; readonly cells: readonly Cell[] };

export type Fields = ReadonlyMap<string, Cell>;

export const EMPTY: Cell = Object.freeze({ kind: 'empty' });

/** The value for application code. */
export function plainOf(cell: Cell): unknown {
  switch (cell.kind) {
    case 'empty':
      return null;
    case 'text':
    case 'temporal':
      return cell.text;
    case 'number':
      return new ExactNumber(cell.text);
    case 'boolean':
      return cell.value;
    case 'enum':
      return cell.constant;
    case 'instance':
      return cell.value;
    case 'list':
      return cell.cells.map(plainOf);
    default:
      return cell satisfies never;
  }
}

/** Fields for application code. */
export const plainRow = (fields: Fields): Readonly<Record<string, unknown>> =>
  Object.fromEntries([...fields].map(([name, cell]) => [name, plainOf(cell)]));

/** Key of links between data sets: equal texts mean equal values. */
export function linkKeyOf(cell: Cell): string | undefined {
  switch (cell.kind) {
    case 'empty':
    case 'list':
      return undefined;
    case 'number':
      return `number ${cell.text.includes('.') ? cell.text.replace(/\.?0+$/, '') : cell.text}`;
    case 'boolean':
      return `boolean ${cell.value}`;
    case 'enum':
      return `text ${cell.constant}`;
    case 'instance':
      return `text ${String(cell.value['id'])}`;
    case 'text':
    case 'temporal':
      return `text ${cell.text}`;
    default:
      return cell satisfies never;
  }
}
