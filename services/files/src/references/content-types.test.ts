import { contentTypeOf, extensionsOf } from './content-types.ts';

// Asserts contract/decisions.md#64, contract/files.md#download.
test.each([
  ['a.pdf', 'application/pdf'],
  ['a.JPG', 'image/jpeg'],
  ['a.txt', 'text/plain'],
  ['a.csv', 'text/csv'],
  ['a.htm', 'text/html'],
  ['a.xml', 'text/xml'],
  ['a.svg', 'image/svg+xml'],
  ['a.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['a.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['a.pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ['a.doc', 'application/msword'],
  ['a.xls', 'application/vnd.ms-excel'],
  ['a.png', 'image/png'],
  ['a.jpeg', 'image/jpeg'],
  ['a.html', 'text/html'],
  ['a.json', 'application/json'],
  ['a.zip', 'application/zip'],
  ['a.mp3', 'audio/mpeg'],
  ['a.mp4', 'video/mp4'],
  ['a.md', 'application/octet-stream'],
  ['a.yaml', 'application/octet-stream'],
  ['a.js', 'application/javascript'],
  ['a.webp', 'application/octet-stream'],
  ['a.tar.unknown', 'application/octet-stream'],
  ['constructor', 'application/octet-stream'],
  ['a.constructor', 'application/octet-stream'],
  ['', 'application/octet-stream'],
])('%j has the content type %s', (name, type) => {
  expect(contentTypeOf(name)).toBe(type);
});

test('a content type has the extensions that are listed for it', () => {
  expect(extensionsOf('image/jpeg')).toEqual(['jpg', 'jpeg', 'jpe']);
  expect(extensionsOf('image/webp')).toEqual([]);
  expect(extensionsOf('application/octet-stream')).toEqual([]);
});
