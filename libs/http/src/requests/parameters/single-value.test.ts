import { queryOf } from './query-of.ts';
import { singleValue } from './single-value.ts';

const readers = [
  ['queryOf', (query: string) => queryOf({ url: `/a?${query}` })],
  ['URLSearchParams', (query: string) => new URLSearchParams(query)],
] as const;

test.each(readers)('a parameter of %s has its value once', (_parser, read) => {
  const query = read('limit=5&sort=&name=a+%C3%A4');
  expect(singleValue(query, 'limit')).toBe('5');
  expect(singleValue(query, 'sort')).toBe('');
  expect(singleValue(query, 'name')).toBe('a ä');
  expect(singleValue(query, 'offset')).toBeUndefined();
});

test.each(readers)('a parameter of %s that is given twice is refused by its name', (_parser, read) => {
  const query = read('limit=5&limit=5');
  expect(() => singleValue(query, 'limit')).toThrow(
    expect.objectContaining({ code: 'REQ_INVALID_PARAMETER', details: "Parameter 'limit' must be given once" }),
  );
});
