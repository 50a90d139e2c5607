/**
 * Lets a command end as usual after the reader of its output has closed the pipe (`lintel … | head -1`): what would
 * follow is discarded, and work that was begun is finished. Other errors of the streams are thrown.
 */
export function ignoreClosedPipes(...streams: readonly NodeJS.WritableStream[]): void {
  for (const stream of streams)
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
}
