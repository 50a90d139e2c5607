import type { Call } from '../connection/call.ts';
import type { BlobLike } from '../platform.ts';
import { type FileContent, isStream, sizeOf } from './file-content.ts';
import type { UploadOptions } from './upload-file.ts';
import { browserXhr, xhrFetch } from './xhr-fetch.ts';

/** How a content is sent: only Node streams requests, and in browsers only `XMLHttpRequest` reports their progress. */
export async function requestBodyOf(
  content: FileContent,
  onProgress: UploadOptions['onProgress'],
): Promise<Pick<Call, 'body' | 'fetch' | 'once'>> {
  const Xhr = browserXhr();
  if (Xhr !== undefined || !isNode()) {
    const body = isStream(content) ? await collect(content) : content;
    return { body: () => body, ...(Xhr && onProgress && { fetch: xhrFetch(Xhr, onProgress) }) };
  }
  if (isStream(content)) return { body: () => counted(content, undefined, onProgress), once: true };
  return { body: () => (onProgress === undefined ? content : counted(slices(content), sizeOf(content), onProgress)) };
}

const isNode = (): boolean =>
  (globalThis as { readonly process?: { readonly versions?: { readonly node?: string } } }).process?.versions?.node !==
  undefined;

/** All bytes of a stream. */
export async function collect(stream: AsyncIterable<Uint8Array>): Promise<BlobLike> {
  const chunks: BlobPart[] = [];
  for await (const chunk of stream) chunks.push(chunk as BlobPart);
  return new Blob(chunks);
}

/** What a `Blob` can be made of. */
export type BlobPart = string | Uint8Array<ArrayBuffer>;

const SLICE_BYTES = 65_536;

async function* slices(content: Exclude<FileContent, AsyncIterable<Uint8Array>>): AsyncGenerator<Uint8Array> {
  const blob = new Blob([content as BlobPart]);
  for (let start = 0; start < blob.size; start += SLICE_BYTES) {
    yield new Uint8Array(await blob.slice(start, start + SLICE_BYTES).arrayBuffer());
  }
}

/** Reports each chunk when the next one is wanted, as it has been sent then. */
async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  total: number | undefined,
  onProgress: UploadOptions['onProgress'],
): AsyncGenerator<Uint8Array> {
  let loaded = 0;
  for await (const chunk of chunks) {
    yield chunk;
    loaded += chunk.byteLength;
    onProgress?.({ loaded, total });
  }
}
