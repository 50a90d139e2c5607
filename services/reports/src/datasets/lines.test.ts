import { linesOf } from './lines.ts';

async function* chunks(...texts: readonly Uint8Array[]) {
  yield* texts;
}

test('lines are whole however the bytes were cut, inside a character too', async () => {
  const bytes = new TextEncoder().encode('{"a":"ä"}\n\n{"b":"€"}\nlast');
  for (let size = 1; size <= bytes.length; size += 1) {
    const cut = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    );
    expect(await Array.fromAsync(linesOf(chunks(...cut)))).toEqual(['{"a":"ä"}', '{"b":"€"}', 'last']);
  }
});

test('bytes that are no UTF-8 are refused', async () => {
  await expect(Array.fromAsync(linesOf(chunks(Uint8Array.of(0xff, 0xfe))))).rejects.toThrow();
});
