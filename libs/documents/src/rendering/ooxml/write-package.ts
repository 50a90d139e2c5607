import type { OoxmlPackage } from './ooxml-package.ts';
import { type ZipEntry, zipStream } from './zip/zip-stream.ts';

/** Parts that are compressed already. */
const PACKED = /\.(png|jpe?g|gif|webp|emf\.gz|wmz|zip)$/i;
const PIECE_BYTES = 256 * 1024;

/**
 * Packs a document; zlib compresses outside of the event loop. `[Content_Types].xml` comes first, because readers
 * determine the kind of a file by it. Documents with the same content have the same bytes.
 */
export async function writePackage(parts: OoxmlPackage): Promise<Uint8Array> {
  const first = '[Content_Types].xml';
  const names = [first, ...[...parts.keys()].filter((name) => name !== first)];
  const entries = names.flatMap((name): ZipEntry[] => {
    const bytes = parts.get(name);
    return bytes === undefined ? [] : [{ name, isPacked: PACKED.test(name), content: () => piecesOf(bytes) }];
  });
  return Buffer.concat(await Array.fromAsync(zipStream(entries)));
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}
