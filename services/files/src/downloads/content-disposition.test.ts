import { contentDisposition } from './download-file.ts';

describe('contentDisposition', () => {
  // Asserts contract/files.md#download.
  test('encodes everything but letters, digits and dots, in lower-case hex, the same in both parts', () => {
    expect(contentDisposition('inline', 'test-file.pdf')).toBe(
      `inline; filename="test%2dfile.pdf"; filename*=utf-8''test%2dfile.pdf`,
    );
    expect(contentDisposition('attachment', 'ä "b"\r\n.png')).toBe(
      `attachment; filename="%c3%a4%20%22b%22%0d%0a.png"; filename*=utf-8''%c3%a4%20%22b%22%0d%0a.png`,
    );
  });

  test('names nothing where there is no name', () => {
    expect(contentDisposition('attachment', '')).toBe('attachment');
  });
});
