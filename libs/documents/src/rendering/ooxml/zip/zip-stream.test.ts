import { readPackage } from '../read-package.ts';
import { centralDirectoryHeader, dataDescriptor, endOfCentralDirectory } from './zip-records.ts';
import { type ZipEntry, zipStream } from './zip-stream.ts';

const entry = (name: string, ...pieces: readonly (string | Uint8Array)[]): ZipEntry => ({
  name,
  async *content() {
    yield* pieces;
  },
});
const zip = async (...entries: readonly ZipEntry[]) => Buffer.concat(await Array.fromAsync(zipStream(entries)));

test('what was written is read again, and always the same bytes', async () => {
  const entries = [entry('a.xml', 'é', '<b/>'), entry('c/dé.bin', new Uint8Array([0, 255])), entry('empty')];
  const parts = await readPackage(await zip(...entries));
  expect([...parts].map(([name, bytes]) => [name, Buffer.from(bytes).toString('hex')])).toEqual([
    ['a.xml', 'c3a93c622f3e'],
    ['c/dé.bin', '00ff'],
    ['empty', ''],
  ]);
  expect((await zip(...entries)).equals(await zip(...entries))).toBe(true);
});

test('an error of the content is the error of the archive', async () => {
  const broken: ZipEntry = {
    name: 'b',
    async *content() {
      yield 'x';
      throw new Error('no more rows');
    },
  };
  await expect(zip(entry('a', 'x'), broken)).rejects.toThrow('no more rows');
});

test('content is closed when the archive is not read to its end', async () => {
  let isClosed = false;
  const endless: ZipEntry = {
    name: 'endless',
    async *content() {
      try {
        for (;;) yield 'x'.repeat(65_536);
      } finally {
        isClosed = true;
      }
    },
  };
  let chunks = 0;
  for await (const _ of zipStream([endless])) {
    chunks += 1;
    if (chunks > 2) break;
  }
  await new Promise((resolve) => setImmediate(resolve));
  expect(isClosed).toBe(true);
});

test('sizes beyond four bytes take eight', () => {
  const large = { name: 'x', offset: 1, crc: 7, bytes: 5e9, packedBytes: 6e8 };
  expect(dataDescriptor(large).readBigUInt64LE(16)).toBe(5_000_000_000n);
  const header = centralDirectoryHeader(large);
  expect([header.readUInt32LE(24), header.readBigUInt64LE(51)]).toEqual([0xffff_ffff, 5_000_000_000n]);
  expect(endOfCentralDirectory(3, 5e9, 100)).toHaveLength(98);
  expect(endOfCentralDirectory(3, 500, 100)).toHaveLength(22);
});
