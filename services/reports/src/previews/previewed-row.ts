import { type Cell, type Fields, plainOf } from '@lintel/documents';
import type { ExactNumber } from '@lintel/query';

/** A field as a preview shows it: short texts, exact numbers, instances by their names. */
export type PreviewedValue = null | string | boolean | ExactNumber | readonly PreviewedValue[];

const MAX_CHARACTERS = 500;
const MAX_ITEMS = 20;

/** The fields of a row, each shortened: a preview stays small. */
export const previewedRow = (fields: Fields): Readonly<Record<string, PreviewedValue>> =>
  Object.fromEntries([...fields].map(([name, cell]) => [name, previewed(cell)]));

function previewed(cell: Cell): PreviewedValue {
  switch (cell.kind) {
    case 'text':
    case 'temporal':
      return shortened(cell.text);
    case 'instance':
      return shortened(cell.name);
    case 'list':
      return cell.cells.slice(0, MAX_ITEMS).map(previewed);
    default:
      return plainOf(cell) as null | string | boolean | ExactNumber;
  }
}

const shortened = (text: string): string => (text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text);
