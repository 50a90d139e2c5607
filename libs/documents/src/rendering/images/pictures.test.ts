import { createPictureSource } from './create-picture-source.ts';
import { describePicture } from './describe-picture.ts';
import { loadPictures } from './load-pictures.ts';
import type { PictureRequest } from './picture-source.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  'base64',
);
const GIF = Buffer.from('GIF89a\u0003\u0000\u0002\u0000\u0000', 'latin1');
/** A JPEG up to its frame header: a comment, fill bytes, then 5 × 7 pixels. */
const JPEG = Buffer.from([
  ...[0xff, 0xd8, 0xff, 0xfe, 0x00, 0x04, 0x41, 0x42, 0xff, 0xff],
  ...[0xff, 0xc2, 0x00, 0x0b, 0x08, 0x00, 0x07, 0x00, 0x05, 0x01],
]);

describe('describePicture', () => {
  test.each<[string, Buffer, object]>([
    ['PNG', PNG, { extension: 'png', contentType: 'image/png', width: 1, height: 1 }],
    ['GIF', GIF, { extension: 'gif', contentType: 'image/gif', width: 3, height: 2 }],
    ['JPEG', JPEG, { extension: 'jpeg', contentType: 'image/jpeg', width: 5, height: 7 }],
  ])('tells format and size of a %s from its bytes', (_, bytes, size) => {
    expect(describePicture(bytes)).toMatchObject(size);
  });

  // Asserts contract/report-templates.md#safety.
  test.each<[string, Uint8Array, string]>([
    ['nothing', new Uint8Array(), 'no PNG, JPEG or GIF'],
    ['SVG', Buffer.from('<svg onload="x"/>'), 'no PNG, JPEG or GIF'],
    ['a JPEG that is cut off', JPEG.subarray(0, 12), 'no PNG, JPEG or GIF'],
    ['a GIF without a size', Buffer.from('GIF89a\u0000\u0000\u0000\u0000', 'latin1'), 'it has no size'],
    ['too many pixels', withSides(50_000), 'more than 100000000 pixels'],
  ])('refuses %s', (_, bytes, message) => {
    expect(() => describePicture(bytes)).toThrow(message);
  });
});

describe('the pictures of a run', () => {
  const signal = new AbortController().signal;
  const remote = { read: async (url: string) => new TextEncoder().encode(`outside ${url}`) };
  const source = createPictureSource({
    maxTotalBytes: 1_000_000,
    remote,
    readFile: async (ref) => new TextEncoder().encode(ref),
    signal,
  });
  const load = async (kind: 'image' | 'bitmap' | 'imageFileId', text: string): Promise<string> =>
    Buffer.from(await source.load({ kind, source: text })).toString();

  // Asserts contract/report-templates.md#values.
  test('come from addresses, bytes and files', async () => {
    expect(await load('image', 'https://e.org/a.png')).toBe('outside https://e.org/a.png');
    expect(await load('bitmap', Buffer.from('bytes').toString('base64'))).toBe('bytes');
    expect(await load('bitmap', `data:image/png;base64,${Buffer.from('bytes').toString('base64')}`)).toBe('bytes');
    expect(await load('imageFileId', 'fs://x')).toBe('fs://x');
  });

  // Asserts contract/report-templates.md#conversion.
  test('of files are not for users who may not download files', async () => {
    const none = createPictureSource({ maxTotalBytes: 1_000_000, remote, readFile: undefined, signal });
    await expect(none.load({ kind: 'imageFileId', source: 'fs://x' })).rejects.toThrow(
      'only for users who may download',
    );
  });
});

function withSides(pixels: number): Buffer {
  const bytes = Buffer.from(PNG);
  bytes.writeUInt32BE(pixels, 16);
  bytes.writeUInt32BE(pixels, 20);
  return bytes;
}

test('the pictures of a document are 128 MiB at the most', async () => {
  // A picture of one pixel, and more bytes than it needs.
  const bytes = new Uint8Array(10 * 1024 * 1024);
  bytes.set([0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 1, 0, 1, 0]);
  const requests = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      ...{ kind: 'image', source: `https://host/${index}`, width: 1, height: 1, field: 'Data.photo' },
    })) as readonly PictureRequest[];
  const pictures = { load: async () => bytes, maxTotalBytes: 128 * 1024 * 1024 };
  expect((await loadPictures(requests(12), pictures, 'word/media')).size).toBe(12);
  await expect(loadPictures(requests(13), pictures, 'word/media')).rejects.toMatchObject({
    code: 'REPORT_RUN_ERROR',
    message: expect.stringContaining('more than 134217728 bytes'),
  });
});
