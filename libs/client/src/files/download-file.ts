import { wait } from '../connection/attempt-signal.ts';
import { backoffMs } from '../connection/backoff-ms.ts';
import { type CallOptions, callOf } from '../connection/call.ts';
import type { Connection } from '../connection/create-connection.ts';
import { filesPath, withQuery } from '../connection/paths.ts';
import { LintelError, NetworkError } from '../errors/lintel-error.ts';
import { createDownload, type Download } from './download.ts';
import type { Progress } from './file-content.ts';
import { readChunks } from './read-chunks.ts';

/** How a file is downloaded. */
export interface DownloadOptions extends CallOptions {
  /** Called with each chunk. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Begins at this byte: for the rest of a file, of which a part is here. */
  readonly start?: number | undefined;
  /** `etag` of the earlier download: if the file is another one now, the download is refused with 412. */
  readonly etag?: string | undefined;
}

/** How often in a row a download is resumed without a further byte. */
const FRUITLESS_RESUMPTIONS = 5;

/** Reads a file. After an interruption it continues where it stopped, if the file is still the same. */
export async function downloadFile(
  connection: Connection,
  fileRef: string,
  options: DownloadOptions = {},
): Promise<Download> {
  const { onProgress, start = 0 } = options;
  const path = withQuery(filesPath(connection.paths), { fileRef });
  const openAt = async (position: number, tag: string | null) => {
    const opened = await connection.open({
      method: 'GET',
      path,
      // Without If-Match another file could follow the first part of this one.
      headers: position === 0 ? {} : { range: `bytes=${position}-`, 'if-match': tag ?? undefined },
      repeatable: true,
      ...callOf(options),
    });
    if (position === 0 || opened.response.status === 206) return opened;
    opened.release();
    await opened.response.body?.cancel().catch(() => {});
    throw new LintelError('DOWNLOAD_RANGE', `The server sent the whole file instead of the part from byte ${position}`);
  };
  const first = await openAt(start, options.etag ?? null);
  const tag = first.response.headers.get('etag');

  async function* chunks(): AsyncGenerator<Uint8Array> {
    let opened = first;
    let loaded = start;
    let fruitless = 0;
    const total = download.size === undefined ? undefined : start + download.size;
    for (;;) {
      try {
        for await (const chunk of readChunks(opened.response)) {
          loaded += chunk.byteLength;
          fruitless = 0;
          onProgress?.({ loaded, total });
          yield chunk;
        }
        if (total === undefined || loaded >= total) return;
        throw new NetworkError('The file is incomplete');
      } catch (error) {
        if (options.signal?.aborted === true) throw options.signal.reason;
        // Anything else is of the caller's `onProgress`.
        if (!(error instanceof NetworkError) || tag === null || fruitless >= FRUITLESS_RESUMPTIONS) throw error;
      } finally {
        opened.release();
      }
      await wait(backoffMs(fruitless), options.signal);
      fruitless += 1;
      opened = await openAt(loaded, tag);
    }
  }

  const download = createDownload(first.response, chunks());
  return download;
}
