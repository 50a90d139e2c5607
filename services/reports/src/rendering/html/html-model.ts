import type { Display } from '@lintel/metadata';
import type { BandData } from '../../bands/band-data.ts';
import type { Cell } from '../../bands/cell.ts';
import { type CellFormatter, defaultText } from '../formats/format-cell.ts';
import { type EmbeddedPictures, pictureKey } from './embed-pictures.ts';

/** A band for templates: `Root.bands.Data[0].fields.name`. */
export interface HtmlBand {
  readonly name: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly bands: Readonly<Record<string, readonly HtmlBand[]>>;
}

/**
 * Converts the tree of bands for a template: a field with a format is formatted text, an enum its caption, a picture an
 * address, any other field its value (contract/report-templates.md#formats).
 */
export function htmlModel(
  band: BandData,
  formatter: CellFormatter,
  locale: Display,
  pictures: EmbeddedPictures = new Map(),
): HtmlBand {
  const fields: Record<string, unknown> = Object.create(null);
  for (const [name, cell] of band.data) {
    const kind = formatter.contentFormat(band.name, name)?.kind;
    const text = formatter.format(band.name, name, cell);
    const picture = kind === undefined ? undefined : pictures.get(pictureKey(kind, text));
    fields[name] = picture ?? (formatter.hasFormat(band.name, name) ? text : rawValue(cell, locale));
  }
  const bands: Record<string, readonly HtmlBand[]> = Object.create(null);
  for (const [name, instances] of band.children)
    bands[name] = instances.map((instance) => htmlModel(instance, formatter, locale, pictures));
  return { name: band.name, fields, bands };
}

function rawValue(cell: Cell, locale: Display): unknown {
  switch (cell.kind) {
    case 'empty':
      return '';
    case 'text':
    case 'temporal':
      return cell.text;
    case 'number': {
      // A JavaScript number only where its text is the same: `10.50` and large numbers stay text.
      const number = Number(cell.text);
      return Number.isSafeInteger(number) && String(number) === cell.text ? number : cell.text;
    }
    case 'boolean':
      return cell.value;
    case 'enum':
    case 'instance':
      return defaultText(cell, locale);
    case 'list':
      return cell.cells.map((item) => rawValue(item, locale));
    default:
      return cell satisfies never;
  }
}
