import type { Display } from '@lintel/metadata';
import { Drop } from 'liquidjs';
import type { BandData } from '../../bands/band-data.ts';
import type { Cell } from '../../bands/cell.ts';
import { fieldOf, memberOf } from '../../bands/field-of.ts';
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
  const fieldValue = (name: string, cell: Cell): unknown => {
    const kind = formatter.contentFormat(band.name, name)?.kind;
    const text = formatter.format(band.name, name, cell);
    const picture = kind === undefined ? undefined : pictures.get(pictureKey(kind, text));
    if (picture !== undefined) return picture;
    if (cell.kind === 'instance') return objectValue(text, (path) => memberValue(`${name}.${path}`));
    return formatter.hasFormat(band.name, name) ? text : rawValue(cell, locale);
  };
  const memberValue = (path: string): unknown => {
    const cell = fieldOf(band.data, path);
    return cell && fieldValue(path, cell);
  };
  for (const [name, cell] of band.data) fields[name] = fieldValue(name, cell);
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
      return defaultText(cell, locale);
    case 'instance':
      return objectValue(defaultText(cell, locale), (name) => {
        const member = memberOf(cell, name);
        return member && rawValue(member, locale);
      });
    case 'list':
      return cell.cells.map((item) => rawValue(item, locale));
    default:
      return cell satisfies never;
  }
}

class ObjectValue extends Drop {}

/**
 * An instance or an object in a template: it is written as its text, and has its members by name. Nothing else can be
 * read from it: the engine would read all properties of a `Drop`, also those of its prototype.
 */
function objectValue(text: string, member: (name: string) => unknown): Drop {
  const own: Readonly<Record<string, unknown>> = {
    valueOf: () => text,
    toString: () => text,
    toJSON: () => text,
    liquidMethodMissing: () => undefined,
  };
  return new Proxy(new ObjectValue(), {
    get: (_, name) => (typeof name === 'symbol' ? undefined : Object.hasOwn(own, name) ? own[name] : member(name)),
  });
}
