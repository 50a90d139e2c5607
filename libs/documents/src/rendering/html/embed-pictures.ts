import type { BandData } from '../../bands/band-data.ts';
import type { CellFormatter } from '../formats/format-cell.ts';
import { loadPictures } from '../images/load-pictures.ts';
import type { PictureRequest, PictureSource } from '../images/picture-source.ts';

/** `data:` URLs of pictures, by kind and source. */
export type EmbeddedPictures = ReadonlyMap<string, string>;

export const pictureKey = (kind: string, source: string): string => `${kind} ${source}`;

const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Loads the pictures that a page cannot load by an address, those of fields with the format `bitmap` or `imageFileId`,
 * as `data:` URLs for `<img src>`.
 *
 * @throws as `loadPictures`, for more than 64 MiB of pictures
 */
export async function embedPictures(
  root: BandData,
  formatter: CellFormatter,
  source: PictureSource,
): Promise<EmbeddedPictures> {
  const limited = { ...source, maxTotalBytes: Math.min(source.maxTotalBytes, MAX_BYTES) };
  const embedded = new Map<string, string>();
  for (const [request, { picture }] of await loadPictures([...wantedIn(root, formatter)], limited, '')) {
    const key = pictureKey(request.kind, request.source);
    if (!embedded.has(key))
      embedded.set(key, `data:${picture.contentType};base64,${Buffer.from(picture.bytes).toString('base64')}`);
  }
  return embedded;
}

function* wantedIn(band: BandData, formatter: CellFormatter): Generator<PictureRequest> {
  for (const [name, cell] of band.data) {
    const format = formatter.contentFormat(band.name, name);
    if (format?.kind !== 'bitmap' && format?.kind !== 'imageFileId') continue;
    const source = formatter.format(band.name, name, cell);
    if (source !== '') yield { ...format, kind: format.kind, source, field: `${band.name}.${name}` };
  }
  for (const rows of band.children.values()) for (const row of rows) yield* wantedIn(row, formatter);
}
