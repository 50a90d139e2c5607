/** The records of a zip archive (APPNOTE 6.3.10) whose sizes are only known after the content. */

export interface DirectoryEntry {
  readonly name: string;
  readonly offset: number;
  readonly crc: number;
  readonly bytes: number;
  readonly packedBytes: number;
}

/** The sizes follow the content in a data descriptor; names are UTF-8. */
const FLAGS = 0x0808;
const DEFLATE = 8;
/** 1980-01-01, the first day of the zip format. */
const DATE = 0x21;
const MAX_32_BIT = 0xffff_ffff;
const MAX_16_BIT = 0xffff;
/** Large files need version 4.5, others 2.0. */
const version = (needsZip64: boolean): number => (needsZip64 ? 45 : 20);

const needsZip64 = ({ offset, bytes, packedBytes }: DirectoryEntry): boolean =>
  Math.max(offset, bytes, packedBytes) > MAX_32_BIT;

/** Precedes the content of a file. */
export function localFileHeader(name: string): Buffer {
  const encoded = Buffer.from(name);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(version(false), 4);
  header.writeUInt16LE(FLAGS, 6);
  header.writeUInt16LE(DEFLATE, 8);
  header.writeUInt16LE(DATE, 12);
  header.writeUInt16LE(encoded.length, 26);
  return Buffer.concat([header, encoded]);
}

/** Follows the content of a file; sizes have eight bytes where four are not enough. */
export function dataDescriptor({ crc, bytes, packedBytes }: DirectoryEntry): Buffer {
  const isZip64 = Math.max(bytes, packedBytes) > MAX_32_BIT;
  const record = Buffer.alloc(isZip64 ? 24 : 16);
  record.writeUInt32LE(0x08074b50, 0);
  record.writeUInt32LE(crc, 4);
  if (isZip64) {
    record.writeBigUInt64LE(BigInt(packedBytes), 8);
    record.writeBigUInt64LE(BigInt(bytes), 16);
  } else {
    record.writeUInt32LE(packedBytes, 8);
    record.writeUInt32LE(bytes, 12);
  }
  return record;
}

/** An entry of the central directory at the end of the archive. */
export function centralDirectoryHeader(entry: DirectoryEntry): Buffer {
  const encoded = Buffer.from(entry.name);
  const extra = needsZip64(entry) ? zip64ExtraField(entry) : Buffer.alloc(0);
  const capped = (value: number): number => (needsZip64(entry) ? MAX_32_BIT : value);
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(version(needsZip64(entry)), 4);
  header.writeUInt16LE(version(needsZip64(entry)), 6);
  header.writeUInt16LE(FLAGS, 8);
  header.writeUInt16LE(DEFLATE, 10);
  header.writeUInt16LE(DATE, 14);
  header.writeUInt32LE(entry.crc, 16);
  header.writeUInt32LE(capped(entry.packedBytes), 20);
  header.writeUInt32LE(capped(entry.bytes), 24);
  header.writeUInt16LE(encoded.length, 28);
  header.writeUInt16LE(extra.length, 30);
  header.writeUInt32LE(capped(entry.offset), 42);
  return Buffer.concat([header, encoded, extra]);
}

function zip64ExtraField({ bytes, packedBytes, offset }: DirectoryEntry): Buffer {
  const extra = Buffer.alloc(28);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(24, 2);
  for (const [index, value] of [bytes, packedBytes, offset].entries())
    extra.writeBigUInt64LE(BigInt(value), 4 + 8 * index);
  return extra;
}

/** The end of the archive; also as zip64 where offset, size or count of the directory needs it. */
export function endOfCentralDirectory(count: number, offset: number, bytes: number): Buffer {
  const isZip64 = offset > MAX_32_BIT || bytes > MAX_32_BIT || count > MAX_16_BIT;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(count, MAX_16_BIT), 8);
  end.writeUInt16LE(Math.min(count, MAX_16_BIT), 10);
  end.writeUInt32LE(Math.min(bytes, MAX_32_BIT), 12);
  end.writeUInt32LE(Math.min(offset, MAX_32_BIT), 16);
  return isZip64 ? Buffer.concat([zip64EndOfCentralDirectory(count, offset, bytes), end]) : end;
}

function zip64EndOfCentralDirectory(count: number, offset: number, bytes: number): Buffer {
  const record = Buffer.alloc(56 + 20);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeUInt16LE(version(true), 12);
  record.writeUInt16LE(version(true), 14);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(bytes), 40);
  record.writeBigUInt64LE(BigInt(offset), 48);
  record.writeUInt32LE(0x07064b50, 56);
  record.writeBigUInt64LE(BigInt(offset + bytes), 64);
  record.writeUInt32LE(1, 72);
  return record;
}
