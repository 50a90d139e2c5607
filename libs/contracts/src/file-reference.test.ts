import { isStorageName, parseFileReference } from './file-reference.ts';

const UUID = '0e5d7a52-3f0a-4b1c-9d57-6b0a1f2c3d4e';

describe('parseFileReference', () => {
  test('keeps further parameters in their order, as the reference implementation does', () => {
    const text = `fs://2021/01/25/${UUID}.png?name=1.txt&testParam=foo`;
    const reference = parseFileReference(text);
    expect(reference).toEqual({
      storage: 'fs',
      path: `2021/01/25/${UUID}.png`,
      name: '1.txt',
      parameters: [['testParam', 'foo']],
    });
  });

  // Asserts contract/files.md#reference.
  test('takes the first parameter as the name, with any key, and accepts an empty one', () => {
    expect(parseFileReference('s3://a/b?file=x+y%2Fz')?.name).toBe('x y/z');
    expect(parseFileReference('fs://a/b?name=')?.name).toBe('');
  });

  // Asserts contract/files.md#reference.
  test('accepts letters beyond ASCII that were not encoded', () => {
    expect(parseFileReference('fs://2020/11/16/x.txt?name=größe.txt')?.name).toBe('größe.txt');
  });

  // Asserts contract/files.md#reference.
  test.each([
    'nothing',
    '',
    'fs://',
    'fs://a/b',
    'fs://a/b?',
    'fs://?name=a',
    'my_store://a/b?name=a',
    '1fs://a/b?name=a',
    'fs:/a/b?name=a',
    'fs://a/b?name',
    'fs://a/b?name=a=b',
    'fs://a/b?name=a&',
    'fs://a/b?name=a b',
    'fs://a/b?name=[a]',
    'fs://a/b c?name=a',
    'fs://a/b?name=%zz',
    'fs://a/b?name=a#part',
    'fs://a/b\u0000?name=a',
    'fs://a\\b?name=a',
  ])('refuses %j', (text) => {
    expect(parseFileReference(text)).toBeUndefined();
  });
});

// Asserts contract/files.md#reference.
test('a storage name is a URI scheme', () => {
  expect(['fs', 's3', 'a.b-c+d'].every(isStorageName)).toBe(true);
  expect(['', 'my_store', '1a', 'a b'].some(isStorageName)).toBe(false);
});
