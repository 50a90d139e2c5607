import { violationsOf } from '../violations-of.ts';

const FILE = 'services/data/src/a.ts';
const BASELINE = 'tools/boundaries/positional-baseline.json';

test.each([
  ['const f = (a, b, c, d, e, g) => a;', 'has 6 positional parameters'],
  ['class A { m(a, b, c, d, e, ...more) {} }', 'has 6 positional parameters'],
  ['f(a, true, b);', 'passes a bare boolean as one of 3 arguments'],
  ['new A(a, b, false);', 'passes a bare boolean as one of 3 arguments'],
])('the rule refuses %s', (text, what) => {
  expect(violationsOf('positional-parameters', { [FILE]: `\n${text}` })).toEqual([
    `${FILE}:2 ${what}; "positional product" permits 0, and 1 are left`,
  ]);
});

test.each(['const f = (a, b, c, d, e) => a;', 'f(a, true);', 'f(a, b, { isLeft: true });', 'f(a, b, `true`);'])(
  'the rule permits %s',
  (text) => {
    expect(violationsOf('positional-parameters', { [FILE]: text })).toEqual([]);
  },
);

test('the baseline permits as many as there were', () => {
  const kept = { [FILE]: 'f(a, b, true);', [BASELINE]: JSON.stringify({ 'positional product': 1 }) };
  expect(violationsOf('positional-parameters', kept)).toEqual([]);
  expect(violationsOf('positional-parameters', { ...kept, [FILE]: 'f(a, b, true); f(a, b, false);' })).toHaveLength(2);
  expect(violationsOf('positional-parameters', { ...kept, [FILE]: 'f();' })).toEqual([
    `${BASELINE}:1 "positional product" permits 1, and 0 are left: lower it`,
  ]);
});

test('tests may pass what they like', () => {
  expect(violationsOf('positional-parameters', { 'services/data/src/a.test.ts': 'f(a, b, true);' })).toEqual([]);
});
