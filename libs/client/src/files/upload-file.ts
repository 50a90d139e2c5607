import { type Call, type CallOptions, callOf } from '../connection/call.ts';
import type { Connection } from '../connection/create-connection.ts';
import { filesPath, withQuery } from '../connection/paths.ts';
import type { BlobLike } from '../connection/platform.ts';
import { type FileContent, isStream, type Progress, sizeOf } from './file-content.ts';
import { browserXhr, xhrFetch } from './xhr-fetch.ts';

export interface UploadOptions extends CallOptions {
  /** The name of the file; that of a `File` by default. */
  readonly name?: string | undefined;
  /** The type of a `Blob` by default. */
  readonly contentType?: string | undefined;
  /** One of several storages. */
  readonly storageName?: string | undefined;
  /** Not called in workers of browsers, which have no `XMLHttpRequest`. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** A stored file. */
export interface StoredFile {
  /** The value of file attributes. */
  readonly fileRef: string;
  readonly name: string;
  readonly size: number;
}

/** An hour for a file, unless the caller says otherwise. */
const TIMEOUT_MS = 3_600_000;

/** Stores a file: completely, or not at all. It is not sent again after a failure of the network. */
export async function uploadFile(
  connection: Connection,
  content: FileContent,
  options: UploadOptions = {},
): Promise<StoredFile> {
  const described = content as { readonly name?: string; readonly type?: string };
  const { name = described.name, storageName, contentType = described.type, onProgress } = options;
  const { body } = await connection.read({
    method: 'POST',
    path: withQuery(filesPath(connection.paths), { name, storageName }),
    headers: { 'content-type': contentType || 'application/octet-stream' },
    repeatable: false,
    ...callOf(options),
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    ...(await bodyOf(content, onProgress)),
  });
  return body as StoredFile;
}

/** How a content is sent: only Node streams requests, and in browsers only `XMLHttpRequest` reports their progress. */
async function bodyOf(
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

async function collect(stream: AsyncIterable<Uint8Array>): Promise<BlobLike> {
  const chunks: BlobPart[] = [];
  for await (const chunk of stream) chunks.push(chunk as BlobPart);
  return new Blob(chunks);
}

type BlobPart = string | Uint8Array<ArrayBuffer>;

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
