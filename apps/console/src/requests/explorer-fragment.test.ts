import { explorerFragment } from './explorer-fragment.ts';

test('the fragment of a request has its method, its path with its query, and its body', () => {
  const fragment = explorerFragment({ method: 'PUT', path: '/rest/a%20b', query: { c: 'd&e' }, body: { f: '#' } });
  expect(Object.fromEntries(new URLSearchParams(fragment.slice(1)))).toEqual({
    method: 'PUT',
    target: '/rest/a%20b?c=d%26e',
    body: '{\n  "f": "#"\n}',
  });
  expect(explorerFragment({ method: 'GET', path: '/rest/a' })).toBe('#method=GET&target=%2Frest%2Fa');
});
