import { inflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly content: () => Buffer;
}

/** The files of a zip archive (no zip64, no encryption: module archives have neither). */
export function* readZip(archive: Buffer): Generator<ZipEntry> {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end < 0) throw new Error('Not a zip archive');
  const count = archive.readUInt16LE(end + 10);
  let position = archive.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    const method = archive.readUInt16LE(position + 10);
    const compressedSize = archive.readUInt32LE(position + 20);
    const nameLength = archive.readUInt16LE(position + 28);
    const skip = archive.readUInt16LE(position + 30) + archive.readUInt16LE(position + 32);
    const header = archive.readUInt32LE(position + 42);
    const name = archive.toString('utf8', position + 46, position + 46 + nameLength);
    position += 46 + nameLength + skip;
    if (name.endsWith('/')) continue;
    yield {
      name,
      content: () => {
        const start = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
        const data = archive.subarray(start, start + compressedSize);
        return method === 0 ? data : inflateRawSync(data);
      },
    };
  }
}
