import { comparableOf } from './comparable.ts';

test('times of any year are in the order of PostgreSQL, and infinite ones around them', () => {
  const texts = [
    '-infinity',
    '4712-01-01T00:00:00.000 BC',
    '0044-03-15T10:00:00.000 BC',
    '0001-12-31T23:59:59.999 BC',
    '0001-01-01T00:00:00.000',
    '1999-12-31T23:59:59.999',
    '2000-01-01T00:00:00.000',
    '2026-01-01T10:00:00.000',
    '12026-01-01T10:00:00.000',
    '294275-12-31T23:59:59.999',
    'infinity',
  ];
  const type = { kind: 'datatype', datatype: 'localDateTime', unbounded: true } as const;
  const values = texts.map((text) => comparableOf(text, type) as bigint);
  expect(values.toSorted((one, other) => (one < other ? -1 : 1))).toEqual(values);
  const [eve, first] = [values[3], values[4]] as [bigint, bigint];
  expect(first - eve).toBe(1_000n);
  expect(values[7]).toBe(BigInt(Date.UTC(2026, 0, 1, 10)) * 1_000n);
});
