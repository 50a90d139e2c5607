import express, { type Request } from 'express';
import { queryOf } from './query-of.ts';

const app = express();
app.set('query parser', 'simple');

/** The query of the same URL as Express parses it. */
const byExpress = (url: string) =>
  Object.create(app.request, { url: { value: url }, app: { value: app } }) as Pick<Request, 'query'>;

test.each([
  '/a',
  '/a?',
  '/a?b=1&c',
  '/a?b=1&b=2',
  '/a?b=%C3%A4+x&%zz',
  '/a?b=1?c=2',
  '/a?b=1#c=2',
  '/?__proto__=1',
  '/a?=1',
])('the query of %s is that of Express', (url) => {
  expect(Object.entries(queryOf({ url }))).toEqual(Object.entries(byExpress(url).query));
});
