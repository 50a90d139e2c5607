import type { BandData } from '../../bands/band-data.ts';
import { ReportFailure } from '../../report-failure.ts';
import type { CellFormatter } from '../formats/format-cell.ts';
import { describePicture } from '../images/describe-picture.ts';
import type { PictureSource } from '../images/picture-source.ts';

/** `data:` URLs of pictures, by kind and source. */
export type EmbeddedPictures = ReadonlyMap<string, string>;

export const pictureKey = (kind: string, source: string): string => `${kind} ${source}`;

const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Loads the pictures that a page cannot load by an address, those of fields with the format `bitmap` or `imageFileId`,
 * as `data:` URLs for `<img src>`.
 *
 * @throws ReportFailure for bytes that are no picture, and for more than 64 MiB of pictures
 */
export async function embedPictures(
  root: BandData,
  formatter: CellFormatter,
  source: PictureSource,
): Promise<EmbeddedPictures> {
  const embedded = new Map<string, string>();
  let bytesLeft = MAX_BYTES;
  for (const { kind, text, field } of wantedIn(root, formatter)) {
    const key = pictureKey(kind, text);
    if (embedded.has(key)) continue;
    const bytes = await source.load({ kind, source: text });
    bytesLeft -= bytes.length;
    if (bytesLeft < 0) throw new ReportFailure(`The pictures of a page are more than ${MAX_BYTES} bytes`);
    embedded.set(key, dataAddress(bytes, field));
  }
  return embedded;
}

interface WantedPicture {
  readonly kind: 'bitmap' | 'imageFileId';
  readonly text: string;
  readonly field: string;
}

function* wantedIn(band: BandData, formatter: CellFormatter): Generator<WantedPicture> {
  for (const [name, cell] of band.data) {
    const kind = formatter.contentFormat(band.name, name)?.kind;
    if (kind !== 'bitmap' && kind !== 'imageFileId') continue;
    const text = formatter.format(band.name, name, cell);
    if (text !== '') yield { kind, text, field: `${band.name}.${name}` };
  }
  for (const rows of band.children.values()) for (const row of rows) yield* wantedIn(row, formatter);
}

function dataAddress(bytes: Uint8Array, field: string): string {
  try {
    return `data:${describePicture(bytes).contentType};base64,${Buffer.from(bytes).toString('base64')}`;
  } catch (cause) {
    throw new ReportFailure(`The picture of ${field} cannot be used: ${(cause as Error).message}`, { cause });
  }
}
