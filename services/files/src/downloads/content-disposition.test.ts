import { contentTypeOf } from '../references/content-types.ts';
import { contentDisposition } from './content-disposition.ts';

const INLINE = new Set(['jpg', 'png', 'jpeg', 'pdf']);

describe('contentDisposition', () => {
  test('encodes everything but letters, digits and dots, in lower-case hex, the same in both parts', () => {
    expect(contentDisposition('test-file.pdf', false, INLINE)).toBe(
      `inline; filename="test%2dfile.pdf"; filename*=utf-8''test%2dfile.pdf`,
    );
    expect(contentDisposition('ä "b"\r\n.png', false, INLINE)).toBe(
      `inline; filename="%c3%a4%20%22b%22%0d%0a.png"; filename*=utf-8''%c3%a4%20%22b%22%0d%0a.png`,
    );
  });

  test.each([
    ['page.html', false],
    ['README', false],
    ['drawing.svg', false],
    ['photo.png', true],
    ['', false],
  ])('%j with attachment=%s is an attachment', (name, asAttachment) => {
    expect(contentDisposition(name, asAttachment, INLINE)).toMatch(/^attachment/);
  });

  test('shows listed extensions whatever their case, and names nothing where there is no name', () => {
    expect(contentDisposition('PHOTO.PNG', false, INLINE)).toMatch(/^inline;/);
    expect(contentDisposition('', false, INLINE)).toBe('attachment');
  });
});

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
])('%j is served as %s', (name, type) => {
  expect(contentTypeOf(name)).toBe(type);
});
