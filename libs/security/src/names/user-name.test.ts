import { readFileSync } from 'node:fs';
import { userNameKey, userNameProblem } from './user-name.ts';

interface Expected {
  readonly unassigned: string;
  readonly inLatin: string;
  readonly inHebrew: string;
  readonly keys: string;
  readonly texts: Readonly<Record<string, string>>;
}

/** Results of golang.org/x/text/secure/precis: `go run .` in the folder writes the file. */
const expected = JSON.parse(
  readFileSync(new URL('../../test/precis/expected.json', import.meta.url), 'utf8'),
) as Expected;

const MAX = 0x10ffff;
const hex = (point: number): string => point.toString(16);
const isSurrogate = (point: number): boolean => point >= 0xd800 && point <= 0xdfff;

function setOf(ranges: string): Uint8Array {
  const set = new Uint8Array(MAX + 1);
  for (const range of ranges.split(' ')) {
    const [from = '', to = from] = range.split('-');
    set.fill(1, Number.parseInt(from, 16), Number.parseInt(to, 16) + 1);
  }
  return set;
}
/** Go applies the rule of directions to texts without characters from right to left, too; RFC 8265 §3.3.2 does not. */
const LEFT_TO_RIGHT = {
  '\u0375\u03b1': '\u0375\u03b1',
  '\u06f0a': '\u06f0a',
  '\u30fb\u30a2': '\u30fb\u30a2',
  '\u6f22\u30fb': '\u6f22\u30fb',
};

const without = (letter: string, text: string): string =>
  text.slice(text.startsWith(letter) ? letter.length : 0, text.endsWith(letter) ? -letter.length : undefined);

const unassigned = setOf(expected.unassigned);

describe('user names are those of PRECIS, as Go implements it', () => {
  test.each([
    ['x', expected.inLatin],
    ['\u05d0', expected.inHebrew],
  ])('every code point between two letters %s is accepted or refused', (letter, ranges) => {
    const accepted = setOf(ranges);
    const others: string[] = [];
    for (let point = 0; point <= MAX; point += 1) {
      if (unassigned[point] === 1 || isSurrogate(point)) continue;
      const isAccepted = userNameProblem(letter + String.fromCodePoint(point) + letter) === undefined;
      if (isAccepted !== (accepted[point] === 1)) others.push(`${hex(point)} ${isAccepted}`);
    }
    expect(others).toEqual([]);
  });

  test('every code point that is accepted has the same key', () => {
    const keys = new Map(
      expected.keys.split(' ').map((pair) => {
        const [character = '', ...key] = pair;
        return [character, key.join('')];
      }),
    );
    const inLatin = setOf(expected.inLatin);
    const inHebrew = setOf(expected.inHebrew);
    const others: string[] = [];
    for (let point = 0; point <= MAX; point += 1) {
      if (inLatin[point] !== 1 && inHebrew[point] !== 1) continue;
      const [letter, character] = [inLatin[point] === 1 ? 'x' : '\u05d0', String.fromCodePoint(point)];
      const key = without(letter, userNameKey(letter + character + letter));
      if (key !== (keys.get(character) ?? character)) others.push(`${hex(point)} ${key}`);
    }
    expect(others).toEqual([]);
  });

  test('every text is accepted or refused, with the same key', () => {
    const found = Object.keys(expected.texts).map((text) => [
      text,
      userNameProblem(text) === undefined ? userNameKey(text) : '!',
    ]);
    expect(Object.fromEntries(found)).toEqual({ ...expected.texts, ...LEFT_TO_RIGHT });
  });
});

test.each([
  ['system', 'reserved'],
  ['SCIM', 'reserved'],
  ['Provider:corp', 'reserved'],
  ['see-as:clerk', 'reserved'],
  ['\uff43lient:nightly', 'reserved'],
  ['anonymous', 'reserved'],
  ['anonymous:x', 'reserved'],
  ['scim:x', 'reserved'],
  ['sign-up', 'reserved'],
  ['resource-server', 'reserved'],
  ['api-key:x', 'reserved'],
  ['user:x', 'reserved'],
  ['user:', 'reserved'],
  ['scimitar', undefined],
  ['sign-up:x', undefined],
  ['provider', undefined],
  ['my-user:x', undefined],
  ['a\u200cb', 'characters'],
  ['\u0915\u094d\u200d\u0937', 'characters'],
  ['\ud800', 'characters'],
])('the name %j: %s', (name, problem) => {
  expect(userNameProblem(name)).toBe(problem);
});
