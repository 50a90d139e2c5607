import { parseFileReference } from '@lintel/contracts';
import { filePathFor, formatFileReference } from './file-reference.ts';

const UUID = '0e5d7a52-3f0a-4b1c-9d57-6b0a1f2c3d4e';

describe('formatFileReference', () => {
  // Asserts contract/files.md#reference.
  test('keeps further parameters in their order, as the reference implementation does', () => {
    const text = `fs://2021/01/25/${UUID}.png?name=1.txt&testParam=foo`;
    const reference = parseFileReference(text);
    expect(reference && formatFileReference(reference)).toBe(text);
  });

  // Asserts contract/files.md#reference.
  test('encodes the name as a form value with upper-case hex', () => {
    expect(formatFileReference({ storage: 'fs', path: 'p', name: 'a b/c-d*e_f.ö', parameters: [] })).toBe(
      'fs://p?name=a+b%2Fc-d*e_f.%C3%B6',
    );
  });
});

describe('filePathFor', () => {
  const day = new Date(2026, 0, 5, 12);

  // Asserts contract/files.md#reference.
  test('pads month and day and keeps the case of the extension', () => {
    expect(filePathFor(day, UUID, 'Photo.of.Me.JPG')).toBe(`2026/01/05/${UUID}.JPG`);
  });

  // Asserts contract/files.md#reference.
  test('writes no dot for a name without extension or with an absurd one', () => {
    expect(filePathFor(day, UUID, 'README')).toBe(`2026/01/05/${UUID}`);
    expect(filePathFor(day, UUID, 'name.')).toBe(`2026/01/05/${UUID}`);
    expect(filePathFor(day, UUID, `a.${'x'.repeat(101)}`)).toBe(`2026/01/05/${UUID}`);
  });

  // Asserts contract/files.md#reference.
  test('encodes the extension by the rules of a path segment, so that it cannot leave its folder', () => {
    expect(filePathFor(day, UUID, 'a.b/../c d+@é')).toBe(`2026/01/05/${UUID}.%2Fc%20d+@%C3%A9`);
  });
});
