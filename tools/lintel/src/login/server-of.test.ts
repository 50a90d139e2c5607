import { keyOf, serverOf } from './server-of.ts';

const LOGIN = { clientId: 'c', accessToken: 'a', expiresAt: 0 };

test.each([
  [undefined, [], 'http://localhost:8080'],
  [undefined, ['https://api.example'], 'https://api.example'],
  [undefined, ['https://a.example', 'https://b.example'], 'http://localhost:8080'],
  ['https://b.example/', ['https://a.example'], 'https://b.example'],
  ['http://127.0.0.1:9000', [], 'http://127.0.0.1:9000'],
])('of the option %j and the logins %j the server is %s', (named, known, expected) => {
  expect(keyOf(serverOf(named, Object.fromEntries(known.map((server) => [server, LOGIN]))))).toBe(expected);
});

test.each([
  ['http://api.example', 'not encrypted'],
  ['http://localhost.evil.example', 'not encrypted'],
  ['ftp://localhost', 'not encrypted'],
  ['api.example', 'no address'],
])('tokens are sent to no server at %s', (named, problem) => {
  expect(() => serverOf(named, {})).toThrow(problem);
});
