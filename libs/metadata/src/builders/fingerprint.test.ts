import { fingerprint } from './fingerprint.ts';

/** FNV-1a as its definition says, one UTF-16 unit at a time. */
function definition(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let at = 0; at < text.length; at += 1)
    hash = ((hash ^ BigInt(text.charCodeAt(at))) * 0x100000001b3n) & 0xffffffffffffffffn;
  return hash.toString(16).padStart(16, '0');
}

test.each([[''], ['a'], [{ a: [1, null, 'ä€𝒳'] }], [['x'.repeat(999), '\uffff\u0000']], [[0.1, true, {}]]])(
  'the fingerprint of %j is the FNV-1a hash of its JSON',
  (content) => {
    expect(fingerprint(content)).toBe(definition(JSON.stringify(content)));
  },
);

test('all 16 digits are written, leading zeros too', () => {
  for (let at = 0; at < 500; at += 1) expect(fingerprint(at)).toBe(definition(String(at)));
  expect(Array.from({ length: 500 }, (_, at) => fingerprint(at).length)).toEqual(new Array(500).fill(16));
});

test('functions count by their source text, maps by their entries', () => {
  expect(fingerprint(() => 1)).not.toBe(fingerprint(() => 2));
  expect(fingerprint(new Map([['a', 1]]))).toBe(fingerprint([['a', 1]]));
});
