import { parseFileReference } from '@lintel/contracts';
import { scalarSchema } from './scalar-schema.ts';

const pattern = new RegExp(String(scalarSchema('fileRef').pattern), 'u');

test.each([
  'fs://2026/01/31/00000000-0000-4000-8000-000000000001?name=note.txt',
  'fs://2026/01/31/a.&=;@x?name=',
  's3://a/b%2Fc?name=x+y%2Fz&size=3&of=',
  'fs://a/b?name=größe.txt',
  'fs://a/b?file=note.txt',
])('the pattern of file references matches %j, as the service does', (text) => {
  expect([pattern.test(text), parseFileReference(text) !== undefined]).toEqual([true, true]);
});

test.each([
  'a.pdf',
  'fs://a',
  'fs://?name=a',
  'my_store://a/b?name=a',
  'fs://a/b?name=a=b',
  'fs://a/b?name=a&',
  'fs://a/b?name=a b',
  'fs://a<b>?name=a',
  'fs://a/b?name=%zz',
])('the pattern of file references refuses %j, as the service does', (text) => {
  expect([pattern.test(text), parseFileReference(text) !== undefined]).toEqual([false, false]);
});
