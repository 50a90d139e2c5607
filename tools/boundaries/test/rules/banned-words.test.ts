import { violationsOf } from '../violations-of.ts';

describe('banned words', () => {
  const file = 'services/data/src/a.ts';
  const violations = (text: string, path = file) =>
    violationsOf('banned-words', { [path]: text }).filter((one) => one.startsWith(path));

  test.each([
    ['const place = 1;', 'place', 'place'],
    ['let x;\nfunction findPlace() {}', 'place', 'findPlace'],
    ['const [, MOST_ROWS] = list;', 'most', 'MOST_ROWS'],
    ['const { rows: answer, ...rest } = result;', 'answer', 'answer'],
    ['const { rows = 1, ...tellOwner } = result;', 'tell', 'tellOwner'],
    ['const f = ({ told }: Rest, lanes = 1) => told;', 'told', 'told'],
    ['interface SealedPlaces {}', 'sealed', 'SealedPlaces'],
    ['type T = { readonly mark: string };', 'mark', 'mark'],
    ['class C { #turn = 1; }', 'turn', 'turn'],
    ['class C { constructor(private readonly lane: string) {} }', 'lane', 'lane'],
    ['const options = { behind: 1 };', 'behind', 'behind'],
    ['try { f(); } catch (told) {}', 'told', 'told'],
    ['enum E { Whoever }', 'whoever', 'Whoever'],
  ])('%j declares %s in %s', (text, word, name) => {
    expect(violations(text)).toContainEqual(expect.stringContaining(`says "${word}" in ${name} (`));
  });

  test.each([
    'const replaced = text.replace(/a/, placeholder);',
    'const { place: location } = external;',
    "import { mark as flag } from 'library';",
    'const benchmark = stream.mark();',
    'const value = record[place];',
    "test('it is told of the place', () => undefined);",
    'return returned;',
    '// Most answers take place at this line.',
  ])('%j declares none', (text) => {
    expect(violations(text)).toEqual([]);
  });

  test('comments are read to their last line, and a name is reported once', () => {
    expect(violations('const a = 1;\n/**\n * For whoever\n * is told.\n */\nlet place;\n{ let place; }')).toEqual([
      `${file}:3 says "whoever" in a comment (the client, the caller, the reader)`,
      `${file}:4 says "told" in a comment (send, notify, return)`,
      `${file}:6 says "place" in place (position, location, slot)`,
    ]);
  });

  test('names of files count, in code only', () => {
    expect(violations('', 'libs/http/src/tell-owner.ts')).toEqual([
      'libs/http/src/tell-owner.ts:1 says "tell" in the name of the file (send, notify, return)',
    ]);
    expect(violations('', 'libs/http/src/placeholder.ts')).toEqual([]);
    expect(violations('const place = 1;', 'examples/sales/src/place.ts')).toEqual([]);
  });

  test.each(['docs/guide/a.md', 'README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'])(
    '%s is prose',
    (path) => {
      const text = 'One.\nIts Place, at most ten; in turn.\n```\ntell\n```\n`told` [a](behind.md) is told\n';
      expect(violations(text, path)).toEqual([
        `${path}:2 says "place" in the text (position, location, slot)`,
        `${path}:6 says "told" in the text (send, notify, return)`,
      ]);
    },
  );

  test('other documents are not read', () => {
    expect(violations('the place', 'libs/http/notes.md')).toEqual([]);
  });
});
