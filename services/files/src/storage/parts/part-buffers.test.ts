import { PassThrough, Readable } from 'node:stream';
import { PartBuffers } from './part-buffers.ts';
import { partsOf } from './parts.ts';

const PART_BYTES = 256 * 1024;
const none = () => new Error('no buffer was free');
const create = (max: number, timeoutMs = 60_000) => new PartBuffers({ sizeBytes: PART_BYTES, max, timeoutMs });

/** Reads all parts, one per iteration of the event loop, as where they are sent. */
async function lengthOf(content: Readable, buffers: PartBuffers, seen: (inUse: number) => void): Promise<number> {
  let length = 0;
  for await (const { bytes } of partsOf(content, buffers, none)) {
    await new Promise((resolve) => setImmediate(resolve));
    seen(buffers.inUse);
    length += bytes.length;
  }
  return length;
}

test('64 concurrent uploads share two buffers', async () => {
  const buffers = create(2);
  const file = Array.from({ length: 20 }, () => Buffer.alloc(64_000));
  let maxInUse = 0;
  const seen = (inUse: number) => {
    maxInUse = Math.max(maxInUse, inUse);
  };
  const lengths = await Promise.all(Array.from({ length: 64 }, () => lengthOf(Readable.from(file), buffers, seen)));
  expect(new Set(lengths)).toEqual(new Set([20 * 64_000]));
  expect([maxInUse, buffers.inUse]).toEqual([2, 0]);
});

test('what waits for a buffer is not read, and small files do not wait', async () => {
  const buffers = create(1);
  const slow = new PassThrough();
  const reading = lengthOf(slow, buffers, () => undefined);
  slow.write(Buffer.alloc(100_000));
  while (buffers.inUse === 0) await new Promise((resolve) => setImmediate(resolve));

  let read = 0;
  const large = Readable.from(
    (function* () {
      for (; read < 100; read += 1) yield Buffer.alloc(50_000);
    })(),
    { highWaterMark: 1 },
  );
  const waiting = lengthOf(large, buffers, () => undefined);
  expect(await lengthOf(Readable.from([Buffer.alloc(64_000)]), buffers, () => undefined)).toBe(64_000);
  expect(read).toBeLessThan(5);
  slow.end();
  expect([await reading, await waiting]).toEqual([100_000, 5_000_000]);
});

test('a wait that is too long ends with an error, a closed content waits no longer, and a failure releases its buffer', async () => {
  const buffers = create(1, 20);
  const file = () => Readable.from([Buffer.alloc(100_000)]);
  const holder = partsOf(file(), buffers, none);
  await holder.next();
  await expect(lengthOf(file(), buffers, () => undefined)).rejects.toThrow('no buffer was free');

  const patient = create(1);
  const holding = partsOf(file(), patient, none);
  await holding.next();
  const leaving = new PassThrough();
  leaving.write(Buffer.alloc(100_000));
  const left = lengthOf(leaving, patient, () => undefined);
  leaving.destroy(new Error('left'));
  await expect(left).rejects.toThrow();
  await holding.return(undefined);
  expect(patient.inUse).toBe(0);
  expect(await lengthOf(file(), patient, () => undefined)).toBe(100_000);
});
