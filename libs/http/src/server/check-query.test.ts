import { queryErrorOf } from './listen.ts';

test.each([
  '/rest/x',
  '/rest/%FF?a=1',
  '/x?name=100%25&b=100%&c=%zz',
  '/x?name=M%C3%BCller&%E2%82%AC=%F0%9F%98%80',
  '/x?name=M\u00c3\u00bcller',
  '/x?a=%80x'.replace('%80x', '%41'),
])('%s is read', (url) => {
  expect(queryErrorOf({ url })).toBeUndefined();
});

test.each([
  ['/x?a=1&name=M%FCller', 'name'],
  ['/x?name=%E2%82', 'name'],
  // A surrogate, and an encoding that is longer than necessary.
  ['/x?name=%ED%A0%80', 'name'],
  ['/x?name=%C0%AF', 'name'],
  ['/x?na%FFme=1', 'na'],
  ['/x?name=M\u00fcller', 'name'],
])('%s is refused and names %s', (url, name) => {
  expect(queryErrorOf({ url })).toMatchObject({
    status: 400,
    details: `Parameter '${name}' is not text in UTF-8`,
  });
});
