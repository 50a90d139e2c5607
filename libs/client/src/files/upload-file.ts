import { type CallOptions, callOf } from '../connection/call.ts';
import type { Connection } from '../connection/create-connection.ts';
import { filesPath, withQuery } from '../connection/paths.ts';
import { type FileContent, isStream, type Progress, sizeOf } from './file-content.ts';
import { type BlobPart, collect, requestBodyOf } from './request-body.ts';
import { CHUNK_BYTES, uploadResumably } from './upload-resumably.ts';

/** How a file is uploaded. */
export interface UploadOptions extends CallOptions {
  /** The name of the file; that of a `File` by default. */
  readonly name?: string | undefined;
  /** The type of a `Blob` by default. */
  readonly contentType?: string | undefined;
  /** One of several storages. */
  readonly storageName?: string | undefined;
  /** In workers of browsers, which have no `XMLHttpRequest`, it is only called after each request with bytes. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /**
   * Whether the upload continues where it stopped after a failure of the network. By default it does if the content has
   * more than 8 MiB and is no stream; with `true` a stream is collected first.
   */
  readonly resumable?: boolean | undefined;
  /** Called with the address of a resumable upload when it has begun. */
  readonly onUploadUrl?: ((uploadUrl: string) => void) | undefined;
  /** Continues an upload of the same user and content, for example after the page was loaded again. */
  readonly uploadUrl?: string | undefined;
}

/** A stored file. */
export interface StoredFile {
  /** The value of file attributes. */
  readonly fileRef: string;
  /** The original name of the file. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
}

/** An hour for a file, unless the caller says otherwise. */
const TIMEOUT_MS = 3_600_000;

/** Stores a file: completely, or not at all. Unless the upload is resumable, it ends with a failure of the network. */
export async function uploadFile(
  connection: Connection,
  content: FileContent,
  options: UploadOptions = {},
): Promise<StoredFile> {
  const described = content as { readonly name?: string; readonly type?: string };
  const { name = described.name, storageName, onProgress, uploadUrl } = options;
  const contentType = (options.contentType ?? described.type) || 'application/octet-stream';
  const isLarge = !isStream(content) && (sizeOf(content) ?? 0) > CHUNK_BYTES;
  if (uploadUrl !== undefined || (options.resumable ?? isLarge)) {
    const blob = isStream(content) ? await collect(content) : new Blob([content as BlobPart]);
    return uploadResumably(connection, blob, { ...options, name, contentType });
  }
  const { body } = await connection.read({
    method: 'POST',
    path: withQuery(filesPath(connection.paths), { name, storageName }),
    headers: { 'content-type': contentType },
    repeatable: false,
    ...callOf(options),
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    ...(await requestBodyOf(content, onProgress)),
  });
  return body as StoredFile;
}
