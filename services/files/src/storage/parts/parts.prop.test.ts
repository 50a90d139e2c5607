import { Readable } from 'node:stream';
import { cases, fc } from '@lintel/testkit/properties';
import { PartBuffers } from './part-buffers.ts';
import { partsOf } from './parts.ts';

const none = () => new Error('no buffer was free');

// Asserts contract/files.md#storages.
test('parts have the wanted size, keep every byte in order, and only the last is marked', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 12 }),
      fc.integer({ min: 1, max: 30 }),
      async (chunks, sizeBytes) => {
        const content = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
        const buffers = new PartBuffers({ sizeBytes, max: 1, timeoutMs: 60_000 });
        // A part is valid only until the next one.
        const parts = await Array.fromAsync(partsOf(content, buffers, none), ({ bytes, last }) => ({
          bytes: Buffer.from(bytes),
          last,
        }));
        expect(buffers.inUse).toBe(0);
        expect(Buffer.concat(parts.map((part) => part.bytes))).toEqual(Buffer.concat(chunks));
        expect(parts.map((part) => part.last)).toEqual(parts.map((_, index) => index === parts.length - 1));
        expect(parts.slice(0, -1).every((part) => part.bytes.length === sizeBytes)).toBe(true);
        const total = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
        if (total > 0) expect(parts.at(-1)?.bytes.length).toBeGreaterThan(0);
      },
    ),
    cases(500),
  );
});
