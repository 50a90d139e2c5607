import type { Datatype } from '@lintel/metadata';
import { parseText } from './parse-text.ts';
import { storedTime, type TimeReading } from './stored-time.ts';

const read = (datatype: Datatype, text: string, offsets?: TimeReading['offsets'], microseconds?: true) => {
  const type = { kind: 'datatype', datatype, ...(microseconds && { microseconds }) } as const;
  const noted: string[] = [];
  const stored = storedTime(
    type,
    parseText(type, text),
    { offsets, note: (part, path) => noted.push(part + path) },
    '!',
  );
  return [stored?.value, ...noted];
};

test.each<[Datatype, string, ...string[]]>([
  ['dateTime', '2026-03-01T10:00', '2026-03-01T10:00'],
  ['dateTime', '2026-03-01T10:00Z', '2026-03-01T10:00', 'offset!'],
  ['dateTime', '2026-03-01T10:00:00.12399-05:00', '2026-03-01T10:00:00.123', 'fraction!', 'offset!'],
  ['date', '2026-03-01Z', '2026-03-01', 'offset!'],
  ['localDateTime', '2026-03-01T10:00:00.123000', '2026-03-01T10:00:00.123'],
  ['offsetDateTime', '2026-03-01T10:00:00.1239+01:00', '2026-03-01T10:00:00.123+01:00', 'fraction!'],
  ['offsetTime', '10:00:00.5+01:00', '10:00:00+01:00', 'fraction!'],
  ['localTime', '10:00:00.0', '10:00:00'],
  ['string', '10:00:00.5', '10:00:00.5'],
])('%s %s is stored as %s', (datatype, text, ...expected) => {
  expect(read(datatype, text)).toEqual(expected);
});

test.each([
  ['2026-03-01T00:30:00.123456+01:00', '2026-02-28T23:30:00.123456'],
  ['2026-12-31T23:30-01:00', '2027-01-01T00:30:00'],
])('%s is converted to %s', (text, expected) => {
  expect(read('dateTime', text, 'convert', true)).toEqual([expected]);
});

test('an offset is refused, and no year is before 1 or after 9999', () => {
  expect(read('dateTime', '2026-03-01T10:00Z', 'refuse')).toEqual([undefined]);
  expect(read('dateTime', '2026-03-01T10:00', 'refuse')).toEqual(['2026-03-01T10:00']);
  expect(read('dateTime', '0001-01-01T00:00+01:00', 'convert')).toEqual([undefined]);
  expect(read('dateTime', '9999-12-31T23:59-01:00', 'convert')).toEqual([undefined]);
});
