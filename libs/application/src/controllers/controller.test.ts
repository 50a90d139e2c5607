import { controller, upstreamRoute, urlPatternsOf } from './controller.ts';

const nothing = () => ({});

test.each(['no/slash', '/a/b?', '/a/(b)', '/a/{:b}', '/*all/more', ''])(
  'a path of another form is refused: %s',
  (path) => {
    expect(() => controller('GET', path, nothing)).toThrow(TypeError);
  },
);

test('an upstream is at a prefix without names', () => {
  expect(() => upstreamRoute('/a/:b', 'http://x')).toThrow(TypeError);
});

test('patterns match what the paths do: a name is one segment, a rest and a prefix any number', () => {
  const controllers = [
    controller('/a/:b/c', nothing),
    controller('GET', '/d/*rest', nothing),
    upstreamRoute('/e', 'http://x'),
    { kind: 'router', path: '/f', router: nothing } as const,
  ];
  expect(urlPatternsOf(controllers)).toEqual(['/a/*/c', '/d/**', '/e', '/e/**', '/f', '/f/**']);
});
