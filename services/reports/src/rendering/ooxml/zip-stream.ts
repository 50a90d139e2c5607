import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';
import { type DirectoryEntry, directoryEnd, directoryHeader, fileHeader, sizesBehind } from './zip-records.ts';

/** A file of an archive; its content is made while the archive is written. */
export interface ZipEntry {
  readonly name: string;
  /** It is packed already, and not packed again. */
  readonly isPacked?: boolean;
  readonly content: () => AsyncIterable<string | Uint8Array>;
}

/** Half the time of the usual level, for a few percent of size. */
const LEVEL = 4;

/**
 * Writes an archive, one file after the other, never holding more than a piece of one. The same content gives
 * the same bytes: no clock goes in.
 */
export async function* zipStream(entries: Iterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const directory: DirectoryEntry[] = [];
  let offset = 0;
  for (const { name, content, isPacked = false } of entries) {
    const begin = offset;
    const header = fileHeader(name);
    offset += header.length;
    yield header;
    const counted = new Counted(content());
    let packedBytes = 0;
    for await (const chunk of deflated(counted, isPacked ? 0 : LEVEL)) {
      packedBytes += chunk.length;
      yield chunk;
    }
    const entry = { name, offset: begin, crc: counted.crc, bytes: counted.bytes, packedBytes };
    const sizes = sizesBehind(entry);
    offset += packedBytes + sizes.length;
    yield sizes;
    directory.push(entry);
  }
  const headers = directory.map(directoryHeader);
  const bytes = headers.reduce((sum, header) => sum + header.length, 0);
  yield Buffer.concat([...headers, directoryEnd(directory.length, offset, bytes)]);
}

/** The content as bytes, counted as they pass. */
class Counted {
  readonly #content: AsyncIterable<string | Uint8Array>;
  crc = 0;
  bytes = 0;

  constructor(content: AsyncIterable<string | Uint8Array>) {
    this.#content = content;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const piece of this.#content) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
      this.crc = crc32(bytes, this.crc);
      this.bytes += bytes.length;
      yield bytes;
    }
  }
}

async function* deflated(content: AsyncIterable<Uint8Array>, level: number): AsyncGenerator<Uint8Array> {
  const deflate = createDeflateRaw({ level });
  const done = pipeline(content, deflate);
  // Told below, or nobody listens any longer.
  done.catch(() => undefined);
  try {
    for await (const chunk of deflate) yield chunk as Uint8Array;
    await done;
  } finally {
    deflate.destroy();
  }
}
