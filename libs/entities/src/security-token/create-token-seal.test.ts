import { ExactNumber } from '@lintel/query';
import { createTokenSeal } from './create-token-seal.ts';

const seal = createTokenSeal('a secret of the test');
const content = { entity: 't_Order', id: 'a1', hidden: { lines: ['b1', new ExactNumber('9007199254740993')] } };

test('what is sealed is opened again, digit by digit', () => {
  expect(seal.open(seal.seal(content))).toEqual(content);
  expect(seal.open(seal.seal({ entity: 't_Address', hidden: {} }))).toEqual({ entity: 't_Address', hidden: {} });
});

test('equal contents have equal tokens, others have others', () => {
  expect(seal.seal(content)).toBe(createTokenSeal('a secret of the test').seal({ ...content }));
  expect(seal.seal({ ...content, id: 'a2' })).not.toBe(seal.seal(content));
});

test('nothing of the content can be read from it', () => {
  const text = Buffer.from(seal.seal(content), 'base64url').toString('latin1');
  expect(text).not.toMatch(/t_Order|lines|b1/);
});

test.each([
  ['of another key', createTokenSeal('another').seal(content)],
  ['changed at its end', `${seal.seal(content).slice(0, -2)}AA`],
  ['changed at its beginning', `AAAA${seal.seal(content).slice(4)}`],
  ['cut', seal.seal(content).slice(0, 30)],
  ['no token at all', 'nonsense'],
  ['empty', ''],
])('a text that is %s is not opened', (_case, token) => {
  expect(seal.open(token)).toBeUndefined();
});
