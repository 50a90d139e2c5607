import { cases, fc } from '@lintel/testkit/properties';
import { mayBeInline, servedContentType, storedContentType } from './served-content-type.ts';

describe('keptContentType', () => {
  // Asserts contract/decisions.md#64, contract/files.md#download.
  test.each([
    ['image/webp', 'image/webp'],
    ['TEXT/Plain; Charset="utf-8"', 'text/plain;charset=utf-8'],
    [' application/vnd.own+json ; version=1', 'application/vnd.own+json;version=1'],
    ['text/plain; title="a;b"', 'text/plain;title="a;b"'],
  ])('%j is kept as %j', (sent, kept) => {
    expect(storedContentType(sent)).toBe(kept);
  });

  // Asserts contract/files.md#upload.
  test.each([
    undefined,
    '',
    'text',
    'text/',
    'text/plain, text/html',
    '*/*',
    'image/*',
    'text/plain\r\nSet-Cookie: a=b',
    'text/plain; a="\t"',
    'text/plain; title=ü',
  ])('%j is no content type', (sent) => {
    expect(storedContentType(sent)).toBe('application/octet-stream');
  });

  // Asserts contract/files.md#upload.
  test('a content type of more than 255 characters, as it is sent or as it would be kept, is none', () => {
    const longest = `text/${'x'.repeat(250)}`;
    expect(storedContentType(longest)).toBe(longest);
    expect(storedContentType(`${longest}x`)).toBe('application/octet-stream');
    expect(storedContentType(`text/plain; title=a${'"'.repeat(200)}`)).toBe('application/octet-stream');
  });

  // Asserts contract/files.md#upload.
  test('what is kept is safe in a header, and stays as it is when it is read again', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), typeLike), (sent) => {
        const kept = storedContentType(sent);
        expect(kept).toMatch(/^[\x20-\x7e]{3,255}$/);
        expect(storedContentType(kept)).toBe(kept);
      }),
      cases(500),
    );
  });
});

const typeLike = fc
  .tuple(
    fc.constantFrom('text/html', 'IMAGE/png', 'a/b', 'a/*'),
    fc.array(fc.tuple(fc.string({ maxLength: 5 }), fc.string())),
  )
  .map(([essence, parameters]) => [essence, ...parameters.map(([name, value]) => `${name}="${value}"`)].join(';'));

describe('servedContentType', () => {
  // Asserts contract/decisions.md#64, contract/files.md#download.
  test.each([
    ['image/webp', 'photo.webp', 'image/webp'],
    ['text/markdown; charset=utf-8', 'README', 'text/markdown;charset=utf-8'],
    ['text/plain', 'table.csv', 'text/plain'],
    ['text/html', 'photo.png', 'text/html'],
  ])('that of the upload, %j, comes before the extension of %j', (kept, name, served) => {
    expect(servedContentType(kept, name)).toBe(served);
  });

  // Asserts contract/decisions.md#64, contract/files.md#download.
  test.each([
    undefined,
    'application/octet-stream',
    'Binary/Octet-Stream',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=b',
    'nonsense',
  ])('%j says nothing: the extension decides, and a file without a known one is binary', (kept) => {
    expect(servedContentType(kept, 'photo.PNG')).toBe('image/png');
    expect(servedContentType(kept, 'photo.webp')).toBe('application/octet-stream');
    expect(servedContentType(kept, '')).toBe('application/octet-stream');
  });
});

describe('mayBeInline', () => {
  const listed = new Set(['jpg', 'png', 'jpeg', 'pdf']);

  // Asserts contract/files.md#download.
  test.each([
    ['photo.png', 'image/png'],
    ['PHOTO.JPG', 'image/jpeg'],
    ['photo.jpg', 'image/jpg'],
    ['photo.jpg', 'image/png'],
    ['test-file.pdf', 'application/pdf'],
  ])('%j of the type %j', (name, type) => {
    expect(mayBeInline(name, type, listed)).toBe(true);
  });

  // Asserts contract/files.md#download.
  test.each([
    ['page.html', 'text/html'],
    ['README', 'image/png'],
    ['', 'image/png'],
    ['photo.png', 'text/plain'],
    ['photo.png', 'application/zip'],
  ])('not %j of the type %j: the list of extensions excludes it', (name, type) => {
    expect(mayBeInline(name, type, listed)).toBe(false);
  });

  // Asserts contract/files.md#download.
  test('a type that the list excludes is not shown under the name of another', () => {
    expect(mayBeInline('photo.png', 'application/pdf', new Set(['png']))).toBe(false);
  });

  // Asserts contract/files.md#download.
  test('an extension without a known type is shown with the type of the upload', () => {
    expect(mayBeInline('photo.webp', 'image/webp', new Set(['webp']))).toBe(true);
  });

  // Asserts contract/decisions.md#64.
  test.each([
    'text/html',
    'TEXT/HTML; charset=utf-8',
    'application/xhtml+xml',
    'image/svg+xml',
    'image/svg',
    'text/xml',
    'application/xml',
    'application/xml-dtd',
    'application/rss+xml',
    'application/mathml+xml',
    'text/xsl',
    'text/javascript',
    'application/x-javascript',
    'application/ecmascript',
    'text/jscript',
    'text/vbscript',
    'multipart/x-mixed-replace; boundary=a',
    'multipart/related',
    'message/rfc822',
    'application/x-shockwave-flash',
    'application/hta',
    'text/x-component',
    'application/wasm',
  ])('never active content, whatever is listed: %s', (type) => {
    const everything = new Set(['png', 'html', 'htm', 'svg', 'xml', 'js', 'pdf']);
    for (const name of ['a.png', 'a.html', 'a.svg', 'a.xml', 'a.js'])
      expect(mayBeInline(name, type, everything)).toBe(false);
  });
});
