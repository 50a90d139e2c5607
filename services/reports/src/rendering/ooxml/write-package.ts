import { type ZipOptions, zipSync } from 'fflate';
import type { OoxmlPackage } from './ooxml-package.ts';

/** Parts that are packed already. */
const PACKED = /\.(png|jpe?g|gif|webp|emf\.gz|wmz|zip)$/i;
/** Documents of the same content are the same bytes: no clock goes in. The earliest day that zip knows. */
const MODIFIED = '1980-01-01T00:00:00';

/** Packs a document. `[Content_Types].xml` comes first: readers tell the kind of the file by it. */
export function writePackage(parts: OoxmlPackage): Uint8Array {
  const first = '[Content_Types].xml';
  const names = [first, ...[...parts.keys()].filter((name) => name !== first)];
  const files: Record<string, [Uint8Array, ZipOptions]> = Object.create(null);
  for (const name of names) {
    const bytes = parts.get(name);
    if (bytes !== undefined) files[name] = [bytes, { level: PACKED.test(name) ? 0 : 6, mtime: MODIFIED }];
  }
  return zipSync(files);
}
