/** A raster picture with the properties that its bytes have. */
export interface Picture {
  readonly bytes: Uint8Array;
  readonly extension: 'png' | 'jpeg' | 'gif';
  readonly contentType: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** A small file may decompress to a huge picture, in the memory of the program that opens the document. */
const MAX_PIXELS = 100_000_000;

/**
 * Reads format and size of a picture from its header; its name does not matter.
 *
 * @throws Error for anything but PNG, JPEG and GIF of at most 100 million pixels
 */
export function describePicture(bytes: Uint8Array): Picture {
  const found = pngSize(bytes) ?? gifSize(bytes) ?? jpegSize(bytes);
  if (found === undefined) throw new Error('it is no PNG, JPEG or GIF picture');
  const { extension, width, height } = found;
  if (width < 1 || height < 1) throw new Error('it has no size');
  if (width * height > MAX_PIXELS) throw new Error(`it has more than ${MAX_PIXELS} pixels`);
  return { bytes, extension, contentType: `image/${extension}`, width, height };
}

type Size = Pick<Picture, 'extension' | 'width' | 'height'>;

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const startsWith = (bytes: Uint8Array, signature: readonly number[]): boolean =>
  signature.every((byte, index) => bytes[index] === byte);

function pngSize(bytes: Uint8Array): Size | undefined {
  if (bytes.length < 24 || !startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return undefined;
  const view = viewOf(bytes);
  return { extension: 'png', width: view.getUint32(16), height: view.getUint32(20) };
}

function gifSize(bytes: Uint8Array): Size | undefined {
  if (bytes.length < 10 || !startsWith(bytes, [0x47, 0x49, 0x46, 0x38])) return undefined;
  const view = viewOf(bytes);
  return { extension: 'gif', width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

/** The frame header has the size; other segments before it are skipped. */
function jpegSize(bytes: Uint8Array): Size | undefined {
  if (!startsWith(bytes, [0xff, 0xd8, 0xff])) return undefined;
  const view = viewOf(bytes);
  for (let at = 2; at + 9 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    const isFill = marker === 0xff;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { extension: 'jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    at += isFill ? 1 : 2 + view.getUint16(at + 2);
  }
  return undefined;
}
