import { cases, fc } from '@lintel/testkit/properties';
import { joinTexts, textsOf } from '../streams/joined-rows.ts';
import { RowBytes } from './row-bytes.ts';

const message = (type: string, body: Buffer): Buffer => {
  const header = Buffer.alloc(5, type);
  header.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([header, body]);
};

/** A row of texts, or of nulls. */
function row(...texts: readonly (string | null)[]): Buffer {
  const count = Buffer.alloc(2);
  count.writeInt16BE(texts.length);
  const columns = texts.flatMap((text) => {
    const bytes = Buffer.from(text ?? '');
    const length = Buffer.alloc(4);
    length.writeInt32BE(text === null ? -1 : bytes.length);
    return [length, bytes];
  });
  return message('D', Buffer.concat([count, ...columns]));
}

const READY = message('Z', Buffer.from('I'));

/** What is taken of the messages, and what the driver gets. */
function read(bytes: Buffer, cuts: readonly number[]) {
  const rowBytes = new RowBytes();
  rowBytes.begin();
  const passed: Buffer[] = [];
  const ends = [...cuts].map((cut) => cut % (bytes.length + 1)).sort((one, other) => one - other);
  let from = 0;
  for (const to of [...ends, bytes.length]) {
    const chunk = bytes.subarray(from, to);
    if (rowBytes.isActive) rowBytes.read(chunk, (rest) => passed.push(rest));
    else passed.push(chunk);
    from = to;
  }
  return { rows: rowBytes.take(), passed: Buffer.concat(passed), isActive: rowBytes.isActive };
}

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom('', 'D', 'Z', 'é😀', '\u0000', 'x'.repeat(32_767), '😀'.repeat(20_000)),
);
const part = fc.oneof(
  { weight: 4, arbitrary: text.map((value) => ({ row: value })) },
  fc
    .tuple(fc.constantFrom('N', 'S', 'T', 's', 'C', '2'), fc.string({ maxLength: 12 }))
    .map(([type, body]) => ({ other: message(type, Buffer.from(body)) })),
);

test('rows are taken, and all other messages passed on, wherever the chunks end', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), fc.array(fc.nat(), { maxLength: 30 }), (parts, cuts) => {
      const bytes = Buffer.concat([...parts.map((one) => ('row' in one ? row(one.row) : one.other)), READY]);
      const { rows, passed, isActive } = read(bytes, cuts);
      const texts = parts.flatMap((one) => ('row' in one ? [one.row] : []));
      expect(textsOf(rows)).toEqual(texts);
      expect(rows.pieces.join('')).toBe(joinTexts(texts).pieces.join(''));
      expect(rows.lengths).toEqual(joinTexts(texts).lengths);
      for (const piece of rows.pieces) expect(piece.length).toBeLessThanOrEqual(32_768);
      expect(passed).toEqual(Buffer.concat([...parts.flatMap((one) => ('other' in one ? [one.other] : [])), READY]));
      expect(isActive).toBe(false);
    }),
    cases(200),
  );
});

test('chunks of one byte are enough', () => {
  const bytes = Buffer.concat([message('2', Buffer.alloc(0)), row('{"a":"é"}'), row(''), READY]);
  const { rows, passed } = read(
    bytes,
    Array.from(bytes, (_, at) => at),
  );
  expect(textsOf(rows)).toEqual(['{"a":"é"}', '']);
  expect(passed).toEqual(Buffer.concat([message('2', Buffer.alloc(0)), READY]));
});

test('the rows of the statement after it are left to the driver', () => {
  const { rows, passed } = read(Buffer.concat([row('one'), READY, row('other')]), []);
  expect(textsOf(rows)).toEqual(['one']);
  expect(passed).toEqual(Buffer.concat([READY, row('other')]));
});

test.each([
  ['two columns', row('a', 'b')],
  ['no column', row()],
  ['a null', row(null)],
])('a row is refused that has %s', (_, bytes) => {
  expect(() => read(Buffer.concat([bytes, READY]), [])).toThrow('A row to be joined is one text');
});

test('rows of a statement that failed do not appear in the next one', () => {
  const rowBytes = new RowBytes();
  rowBytes.begin();
  rowBytes.read(Buffer.concat([row('lost'), READY]), () => {});
  rowBytes.begin();
  rowBytes.read(Buffer.concat([row('new'), READY]), () => {});
  expect(textsOf(rowBytes.take())).toEqual(['new']);
  expect(textsOf(rowBytes.take())).toEqual([]);
});
