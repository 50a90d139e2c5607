import { checkParameters } from './check-parameters.ts';
import { handlingFor, type UnknownMembers, unknownMembersOf, unknownParameters } from './unknown-members.ts';

const KNOWN = new Set(['limit', 'filter']);

test.each([
  ['/x', []],
  ['/x?', []],
  ['/x?limit=1&filter=%7B%7D', []],
  ['/x?limit', []],
  ['/x?lim%69t=1', []],
  ['/x?a=1&limit=2&b&a=3&=4&&', ['a', 'b']],
  ['/x?a%20b=1&c+d=1&%ff=1', ['a b', 'c d', '%ff']],
  ['/x?a=b=c&__proto__=1', ['a', '__proto__']],
])('the unknown parameters of %s are %j', (url, names) => {
  expect(unknownParameters(url, KNOWN)).toEqual(names);
});

test('unknown names are limited, however many there are', () => {
  const url = `/x?${Array.from({ length: 5_000 }, (_, at) => `a${at}`).join('&')}`;
  expect(unknownParameters(url, KNOWN)).toHaveLength(21);
  expect(unknownMembersOf(Object.fromEntries(url.split('&').map((name) => [name, 1])), KNOWN)).toHaveLength(21);
});

function responseWithHeaders() {
  const headers = new Map<string, unknown>();
  return {
    getHeader: (name: string) => headers.get(name) as string | undefined,
    setHeader(name: string, value: unknown) {
      headers.set(name, value);
      return this as never;
    },
  };
}

/** How a request with this `Prefer` is handled, and the preference that its response names. */
function handled(prefer: string | undefined, setting: UnknownMembers) {
  const response = responseWithHeaders();
  return [handlingFor({ headers: { prefer } }, response, setting), response.getHeader('Preference-Applied')];
}

test('handling=strict refuses; the setting refuse cannot be made lenient', () => {
  expect(handled(undefined, 'name')).toEqual(['name', undefined]);
  expect(handled('count=exact, handling=strict', 'ignore')).toEqual(['refuse', 'handling=strict']);
  expect(handled('handling=lenient', 'name')).toEqual(['name', undefined]);
  expect(handled('handling=lenient', 'refuse')).toEqual(['refuse', undefined]);
});

test('only a request with a query or handling=strict is compared with the parameters of its route', () => {
  const asked: string[] = [];
  const check = checkParameters((method, path) => void asked.push(`${method} ${path}`), 'name');
  const send = (url: string, prefer?: string) =>
    check({ url, path: '/x', method: 'GET', headers: { prefer } } as never, responseWithHeaders() as never);
  send('/x');
  send('/x', 'return=minimal');
  expect(asked).toEqual([]);
  send('/x?a');
  send('/x', 'handling=strict');
  expect(asked).toEqual(['GET /x', 'GET /x']);
});
