import {
  choiceListValue,
  choiceValue,
  durationMsValue,
  integerValue,
  listValue,
  pathValue,
  portValue,
  postgresUrlValue,
  rateValue,
  resourceListValue,
  sizeBytesValue,
  textOfValue,
  urlListValue,
  urlValue,
} from './values.ts';

const read = (schema: { safeParse(text: string): { success: boolean; data?: unknown } }, text: string) =>
  schema.safeParse(text).data;

test('durations are given with a unit, in ISO form or in seconds', () => {
  const texts = ['500ms', '30s', '12h', '365d', '90', 'PT1M30S', 'P1DT2H', 'PT0.5S', 'pt5s', '+10s'];
  expect(texts.map((text) => read(durationMsValue(), text))).toEqual([
    500, 30_000, 43_200_000, 31_536_000_000, 90_000, 90_000, 93_600_000, 500, 5_000, 10_000,
  ]);
  expect(['1y', '-1s', 'P', 'P1DT', ''].map((text) => read(durationMsValue(), text))).toEqual(Array(5).fill(undefined));
});

test('sizes are given in bytes or with a unit', () => {
  expect(['512', '64KB', '10mb', '5 GB'].map((text) => read(sizeBytesValue(), text))).toEqual([
    512, 65_536, 10_485_760, 5_368_709_120,
  ]);
  expect(read(sizeBytesValue(), '2TB')).toBe(2 * 1024 ** 4);
  expect(read(sizeBytesValue(), '10PB')).toBeUndefined();
});

test('a list of URLs has at least one, and each is checked', () => {
  expect(read(urlListValue(), 'http://a:1/, https://b')).toEqual(['http://a:1', 'https://b']);
  expect(['', ',', 'http://a, ftp://b', 'a'].map((text) => read(urlListValue(), text))).toEqual(
    Array(4).fill(undefined),
  );
});

// Asserts contract/conventions.md#endpoints.
test('paths begin with a slash, do not end with one and are not blank', () => {
  expect(read(pathValue(), '/rest/v2')).toBe('/rest/v2');
  expect(['', ' ', '/', 'rest', '/rest/', '//rest', '/a?b'].map((text) => read(pathValue(), text))).toEqual(
    Array(7).fill(undefined),
  );
});

test('a list of choices keeps its order and takes each choice once', () => {
  const value = choiceListValue(['a', 'b', 'c']);
  expect(['b, a', '', 'c'].map((text) => read(value, text))).toEqual([['b', 'a'], [], ['c']]);
  expect(['d', 'a,a', 'a b'].map((text) => read(value, text))).toEqual([undefined, undefined, undefined]);
});

test('a word of a choice may be spelled in another case and with other separators', () => {
  expect(read(choiceValue(['TLSv1.2', 'x-forwarded']), 'tlsv1.2')).toBe('TLSv1.2');
  expect(read(choiceValue(['TLSv1.2', 'x-forwarded']), 'X_FORWARDED')).toBe('x-forwarded');
  expect(read(choiceValue(['TLSv1.2', 'x-forwarded']), 'forwarded')).toBeUndefined();
});

test('a rate is a number in a time of a day at most', () => {
  expect(['600/1m', '10 / s', '5000/2H', '1/1d'].map((text) => read(rateValue(), text))).toEqual([
    { limit: 600, windowSeconds: 60 },
    { limit: 10, windowSeconds: 1 },
    { limit: 5000, windowSeconds: 7_200 },
    { limit: 1, windowSeconds: 86_400 },
  ]);
  const wrong = ['600', '0/1m', '-1/1m', '10/0s', '10/2d', '10/500ms', '1.5/1s', '10/1', ''];
  expect(wrong.map((text) => read(rateValue(), text))).toEqual(wrong.map(() => undefined));
});

test('a rate can be off', () => {
  expect(read(rateValue(), 'off')).toEqual({ limit: Number.POSITIVE_INFINITY, windowSeconds: 1 });
});

test('whole numbers keep their range, and neither fractions nor exponents are read', () => {
  expect(read(integerValue({ min: 1, max: 3 }), ' 3 ')).toBe(3);
  expect(['0', '4', '1.5', '1e0', '0x1', ''].map((text) => read(integerValue({ min: 1, max: 3 }), text))).toEqual(
    Array(6).fill(undefined),
  );
});

test('lists are split at commas, resource names also at spaces', () => {
  expect(read(listValue(), ' a, b c ,,')).toEqual(['a', 'b c']);
  expect(read(resourceListValue(), 'a.xml b.xml,c.xml')).toEqual(['a.xml', 'b.xml', 'c.xml']);
});

test('addresses have one of the protocols and lose their trailing slash', () => {
  expect(read(urlValue(), 'http://localhost:8080/')).toBe('http://localhost:8080');
  expect(['localhost:8080', 'ftp://x', '/x'].map((text) => read(urlValue(), text))).toEqual(Array(3).fill(undefined));
});

test('addresses of PostgreSQL have its protocol and may have several hosts', () => {
  for (const url of ['postgres://user:p%20w@a:5432,b:5433/lintel?sslmode=require', 'PostgreSQL://a/b'])
    expect(read(postgresUrlValue(), url)).toBe(url);
  for (const url of ['mysql://a/b', 'a/b', 'postgres://', 'postgres:a'])
    expect(read(postgresUrlValue(), url)).toBeUndefined();
});

test('a default is shown as the text that gives it', () => {
  expect([500, 30_000, 90_000, 43_200_000].map((value) => textOfValue(value, durationMsValue()))).toEqual([
    '500ms',
    '30s',
    '90s',
    '12h',
  ]);
  expect(textOfValue(16_384, sizeBytesValue())).toBe('16KB');
  expect(textOfValue(8080, portValue())).toBe('8080');
  expect(['600/60s', '5/1d', 'off'].map((text) => textOfValue(read(rateValue(), text), rateValue()))).toEqual([
    '600/1m',
    '5/1d',
    'off',
  ]);
});

test('a default has its unit where the schema has limits, another description, a default or may be absent', () => {
  const limited = durationMsValue()
    .refine((ms) => ms <= 60_000, 'expected at most 60s')
    .describe('a duration of at most 60s');
  expect([limited, limited.default(15_000), limited.optional()].map((schema) => textOfValue(15_000, schema))).toEqual(
    Array(3).fill('15s'),
  );
  expect(textOfValue(1_048_576, sizeBytesValue().describe('a size below 1GB').default(0))).toBe('1MB');
});
