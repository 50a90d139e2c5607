import { checkBoundaries } from '../../src/check-boundaries.ts';
import { buildWorkspace } from '../../src/workspace/build-workspace.ts';
import { violationsOf } from '../violations-of.ts';

describe('prose', () => {
  const violations = (path: string, text: string, baseline: Readonly<Record<string, number>> = {}) =>
    violationsOf('prose', { [path]: text, 'tools/boundaries/prose-baseline.json': JSON.stringify(baseline) });
  const file = 'services/data/src/a.ts';

  test.each([
    ['// Roles and those of\n// a user.', '1 says "those of" in a comment'],
    ['/*\n * A violation is a 400.\n */', '2 says "is a 400" in a comment'],
    ['// A key that is none.', '1 says "is none" in a comment'],
    ['/** What a caller reads. */', '1 says "What" in a comment'],
    ['/**\n * The same for roles.\n */', '1 says "The same" in a comment'],
  ])('%j breaks a rule of comments', (text, expected) => {
    expect(violations(file, text)).toEqual([expect.stringContaining(`${file}:${expected} (`)]);
  });

  test.each([
    "test('the roles and that of the user are kept', () => {});",
    "test.each([1])('no filter is none', () => {});",
    "test.each([\n  1,\n])('an unknown role is 404', async () => {});",
    "test('of two writes one has an effect', async () => {});",
    "it('works', () => {});",
  ])('%j breaks a rule of titles', (text) => {
    expect(violations('services/data/src/a.test.ts', text)).toEqual([expect.stringContaining(' in a title (')]);
  });

  test('names of cases and documents are read, code in documents is not', () => {
    expect(violations('libs/query/test/cases/names/those-of-a-role/request.json', '{}')).toHaveLength(1);
    expect(violations('docs/a.md', 'A.\n```\nthose of\n```\nThe rest is 404.')).toEqual([
      expect.stringContaining('docs/a.md:5 says "is 404" in a document'),
    ]);
  });

  test.each([
    '/** Returns undefined if there is none. */',
    '// The limit is 500 rows.',
    'const what = "those of the roles";',
  ])('%j breaks no rule', (text) => {
    expect(violations(file, text)).toEqual([]);
  });

  test('findings up to the number of the baseline are permitted', () => {
    const text = '/** What. */\n/** Of it. */';
    expect(violations(file, text, { 'opening product': 2 })).toEqual([]);
    expect(violations(file, text, { 'opening product': 1 })).toHaveLength(2);
  });

  test('a number far above the findings is to be lowered', () => {
    expect(violations(file, '/** What. */', { 'opening product': 21 })).toEqual([]);
    const expected = expect.stringContaining('permits 22, and 1 are left: lower it');
    expect(violations(file, '/** What. */', { 'opening product': 22 })).toEqual([expected]);
    expect(violations(file, '', { 'opening product': 1 })).toHaveLength(1);
  });
});

test.each([
  ['feat(data): cursors', true],
  ['fix!: a subject', true],
  ['a subject without a type', false],
  [`docs: ${'a'.repeat(67)}`, false],
])('the commit %j is accepted: %s', (subject, isAccepted) => {
  const { violations } = checkBoundaries(
    buildWorkspace(new Map(), () => true, [`0123abc ${subject}`]),
    undefined,
    [],
  );
  expect(violations.filter(({ rule }) => rule.id === 'commit-subjects')).toHaveLength(isAccepted ? 0 : 1);
});
