import { pathPattern } from './changed-tests.mjs';

const ROOT = '/clone/services/';
const PATHS = [
  'services/data/test/a.int.test.ts',
  'services/data-more/a.int.test.ts',
  'services/auth/src/tools/a.int.test.ts',
  'tools/lintel/src/a.int.test.ts',
  'tools/release/a.int.test.ts',
];

/** As jest does: the path in the repository, and the absolute one. */
const matched = (only: readonly string[], exclude: readonly string[]): readonly string[] => {
  const pattern = new RegExp(pathPattern(only, exclude), 'i');
  return PATHS.filter((path) => pattern.test(path) || pattern.test(ROOT + path));
};

test('the tests of some folders are those below them', () => {
  expect(matched(['services/data', 'tools'], [])).toEqual([PATHS[0], PATHS[3], PATHS[4]]);
  expect(matched(['tools'], ['tools/(release|site)'])).toEqual([PATHS[3]]);
});

test('each file is in one of the parts or in the rest', () => {
  const parts = [['services/data'], ['tools']];
  const all = [...parts.flatMap((only) => matched(only, [])), ...matched([], parts.flat())];
  expect(all.toSorted()).toEqual(PATHS.toSorted());
  expect(matched([], [])).toEqual(PATHS);
});
