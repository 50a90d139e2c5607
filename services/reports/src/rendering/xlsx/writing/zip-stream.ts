import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/** A file of an archive; its content is made while the archive is written. */
export interface ZipEntry {
  readonly name: string;
  readonly content: () => AsyncIterable<string | Uint8Array>;
}

/** Archives of the same content are the same bytes: no clock goes in. */
const MODIFIED = new Date(1980, 0, 1);
/** Half the time of the usual level, for a few percent of size. */
const LEVEL = 4;
const PACKED = /\.(?:png|jpe?g|gif|webp|wmz|zip)$/i;

/** Writes an archive, one entry after the other, never holding more than a piece of one. */
export async function* zipStream(entries: Iterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const open = new Set<Readable>();
  zip.on('error', (error: Error) => output.destroy(error));
  for (const { name, content } of entries)
    zip.addReadStreamLazy(
      name,
      { mtime: MODIFIED, mode: 0o100644, forceDosTimestamp: true, ...compressionOf(name) },
      (done) => {
        const stream = Readable.from(content(), { objectMode: false });
        open.add(stream);
        stream.once('close', () => open.delete(stream));
        done(null, stream);
      },
    );
  zip.end();
  try {
    for await (const chunk of output) yield chunk as Uint8Array;
  } finally {
    for (const stream of open) stream.destroy();
    output.destroy();
  }
}

const compressionOf = (name: string) => (PACKED.test(name) ? { compress: false } : { compressionLevel: LEVEL });
