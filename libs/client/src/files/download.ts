import type { PlatformBlob, ResponseLike } from '../platform.ts';

/** A file that can be read once: as a whole, or chunk by chunk (`for await`, `writeFile(path, download)` in Node). */
export interface Download extends AsyncIterable<Uint8Array> {
  /** The file name; undefined if the response has none. */
  readonly name: string | undefined;
  /** The content type of the response; empty if it has none. */
  readonly contentType: string;
  /** The tag of the file: with it, another download continues this one. */
  readonly etag: string | undefined;
  /** In bytes, if it is known. */
  readonly size: number | undefined;
  /** The whole content. A download can be read once. */
  bytes(): Promise<Uint8Array>;
  /** The whole content as UTF-8 text. */
  text(): Promise<string>;
  /** The whole content, with its content type. */
  blob(): Promise<PlatformBlob>;
}

/** The download of a response whose body is read as `chunks`. */
export function createDownload({ headers }: ResponseLike, chunks: AsyncIterable<Uint8Array>): Download {
  const contentType = headers.get('content-type') ?? '';
  let isRead = false;
  const read = (): AsyncIterator<Uint8Array> => {
    if (isRead) throw new TypeError('A download can be read once');
    isRead = true;
    return chunks[Symbol.asyncIterator]();
  };
  const blob = async (): Promise<Blob> => {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    for await (const chunk of { [Symbol.asyncIterator]: read }) parts.push(chunk as Uint8Array<ArrayBuffer>);
    return new Blob(parts, { type: contentType });
  };
  return {
    name: fileNameOf(headers.get('content-disposition')),
    contentType,
    etag: headers.get('etag') ?? undefined,
    size: sizeOf(headers),
    bytes: async () => new Uint8Array(await (await blob()).arrayBuffer()),
    text: async () => (await blob()).text(),
    blob: blob as unknown as Download['blob'],
    [Symbol.asyncIterator]: read,
  };
}

/** `Content-Length`, except of a compressed response. */
function sizeOf(headers: ResponseLike['headers']): number | undefined {
  const length = headers.get('content-encoding') === null ? headers.get('content-length') : null;
  return length === null ? undefined : Number(length);
}

/** The name of a file in `Content-Disposition`: the encoded one, else the plain one. */
function fileNameOf(disposition: string | null): string | undefined {
  const encoded = /filename\*=utf-8''([^;]+)/i.exec(disposition ?? '')?.[1];
  const plain = /filename="([^"]*)"/i.exec(disposition ?? '')?.[1];
  return encoded === undefined ? plain : decodeURIComponent(encoded);
}
