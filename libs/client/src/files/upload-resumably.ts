import { wait } from '../connection/attempt-signal.ts';
import { backoffMs } from '../connection/backoff-ms.ts';
import { type CallOptions, callOf } from '../connection/call.ts';
import type { Connection } from '../connection/create-connection.ts';
import { filesPath, pathOf, toBase64 } from '../connection/paths.ts';
import { LintelError, NetworkError, TimeoutError } from '../errors/lintel-error.ts';
import type { RestError } from '../errors/rest-error.ts';
import type { BlobLike } from '../platform.ts';
import { requestBodyOf } from './request-body.ts';
import type { StoredFile, UploadOptions } from './upload-file.ts';

/** Bytes of one request. More of a file are sent in several requests, unless the caller says otherwise. */
export const CHUNK_BYTES = 8_388_608;

/** How often in a row an upload is resumed without a further byte: about a minute without a connection. */
const FRUITLESS_RESUMPTIONS = 10;

const VERSION = { 'tus-resumable': '1.0.0' };

/** The path of an upload, on the server of the connection, independent of the host of its address. */
const uploadPath = ({ paths }: Connection, uploadUrl = ''): string =>
  pathOf(`${filesPath(paths)}/uploads`, uploadUrl.slice(uploadUrl.lastIndexOf('/') + 1));

/**
 * Stores a file by the protocol tus, in requests of a limited size. After a failure of the network or of the server it
 * asks how much is stored, and continues there.
 *
 * @param options with the name and type of the file
 */
export async function uploadResumably(
  connection: Connection,
  content: BlobLike,
  { uploadUrl, ...options }: UploadOptions,
): Promise<StoredFile> {
  const blob = content as Blob;
  const { size } = blob;
  let broken: { readonly error: unknown } | undefined;
  const report = (loaded: number): void => {
    try {
      options.onProgress?.({ loaded, total: size });
    } catch (error) {
      broken = { error };
      throw error;
    }
  };
  const address = uploadUrl ?? (await begin(connection, size, options));
  if (uploadUrl === undefined) options.onUploadUrl?.(address);
  const call = { path: uploadPath(connection, address), ...callOf(options) };

  const readOffset = async (): Promise<number> => {
    const { headers } = await connection.read({ ...call, method: 'HEAD', headers: VERSION, repeatable: true });
    const length = headers.get('upload-length');
    if (Number(length) !== size)
      throw new LintelError('UPLOAD_LENGTH', `The upload is of ${length} bytes, and the content has ${size}`);
    return Number(headers.get('upload-offset'));
  };
  const send = async (offset: number): Promise<number> => {
    const chunk = blob.slice(offset, offset + CHUNK_BYTES);
    const onProgress = options.onProgress && (({ loaded }: { readonly loaded: number }) => report(offset + loaded));
    const { headers } = await connection.read({
      ...call,
      method: 'PATCH',
      headers: { ...VERSION, 'content-type': 'application/offset+octet-stream', 'upload-offset': `${offset}` },
      repeatable: false,
      ...(await requestBodyOf(chunk, onProgress)),
    });
    return Number(headers.get('upload-offset'));
  };

  let reached = 0;
  let offset = uploadUrl === undefined ? 0 : undefined;
  for (let fruitless = 0; offset === undefined || offset < size; ) {
    try {
      offset = await (offset === undefined ? readOffset() : send(offset));
      if (offset > reached) fruitless = 0;
      reached = Math.max(reached, offset);
    } catch (error) {
      if (options.signal?.aborted === true) throw options.signal.reason;
      // Within a request it would look like a failure of the network.
      if (broken !== undefined) throw broken.error;
      if (!isTemporary(error) || fruitless >= FRUITLESS_RESUMPTIONS) throw error;
      await wait((error as Partial<RestError>).retryAfterMs ?? backoffMs(fruitless), options.signal);
      fruitless += 1;
      offset = undefined;
      continue;
    }
    report(offset);
  }
  const { body } = await connection.read({ ...call, method: 'GET', repeatable: true });
  return body as StoredFile;
}

/** Removes what is stored of an upload. */
export const cancelUpload = async (connection: Connection, uploadUrl: string, options?: CallOptions): Promise<void> =>
  void (await connection.read({
    ...callOf(options),
    method: 'DELETE',
    path: uploadPath(connection, uploadUrl),
    headers: VERSION,
    repeatable: true,
  }));

/** Begins an upload, and returns its address. If the response is lost, one more upload expires at the server. */
async function begin(connection: Connection, size: number, options: UploadOptions): Promise<string> {
  const { name, contentType, storageName } = options;
  const metadata = Object.entries({ filename: name, filetype: contentType, storageName }).flatMap(([key, value]) =>
    value ? [`${key} ${toBase64(new TextEncoder().encode(value))}`] : [],
  );
  const { headers } = await connection.read({
    ...callOf(options),
    method: 'POST',
    path: `${filesPath(connection.paths)}/uploads`,
    headers: { ...VERSION, 'upload-length': `${size}`, 'upload-metadata': metadata.join() },
    repeatable: true,
  });
  return headers.get('location') ?? '';
}

/** Whether the upload may continue after the error: of the network, of a server between, or by another request. */
const isTemporary = (error: unknown): boolean =>
  error instanceof NetworkError ||
  error instanceof TimeoutError ||
  [408, 409, 429, 502, 503, 504].includes((error as Partial<RestError>).status ?? 0);
