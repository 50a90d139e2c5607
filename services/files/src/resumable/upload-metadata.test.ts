import { parseUploadMetadata } from './upload-metadata.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

test('keys have values in Base64, or none', () => {
  const header = `filename ${base64('Größe 1.pdf')}, filetype ${base64('application/pdf')},is_public,empty `;
  expect([...parseUploadMetadata(header)]).toEqual([
    ['filename', 'Größe 1.pdf'],
    ['filetype', 'application/pdf'],
    ['is_public', ''],
    ['empty', ''],
  ]);
  expect([...parseUploadMetadata(undefined), ...parseUploadMetadata('')]).toEqual([]);
});

// Asserts contract/files.md#resumable.
test.each([
  ['filename a b', 'must have keys'],
  [`${base64('x')} ${base64('x')},,`, 'must have keys'],
  ['nämlich YQ==', 'must have keys'],
  ['filename YQ', 'not Base64'],
  ['filename Y*==', 'not Base64'],
  ['filename gICA', 'not UTF-8'],
  ['filename YQ==,filename Yg==', 'twice'],
  [`filename ${'YQ=='.repeat(2000)}`, 'longer than 4096'],
])('%j is refused', (header, reason) => {
  expect(() => parseUploadMetadata(header)).toThrow(
    expect.objectContaining({ code: 'FILE_INVALID_UPLOAD', details: expect.stringContaining(reason) }),
  );
});
