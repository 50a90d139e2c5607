import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { DocumentPiece } from '@lintel/documents';
import type { Logger } from '@lintel/telemetry';
import type { Execution, ExecutionEnd } from './execution-history.ts';

export interface RecordOptions {
  /** Stores a copy of the document and returns its file reference; undefined where no copy is stored. */
  readonly save: ((content: AsyncIterable<Uint8Array>) => Promise<string>) | undefined;
  /** Returns how an execution ended that failed with `error`. */
  readonly endOf: (error: unknown) => ExecutionEnd;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Yields the pieces of a document, stores a copy where that is configured, and records the end of the execution. */
export async function* recordDocument(
  content: AsyncIterable<DocumentPiece>,
  execution: Execution,
  { save, endOf, logger }: RecordOptions,
): AsyncGenerator<DocumentPiece> {
  // Where the reader of the document stops early, only `finally` runs.
  let end: ExecutionEnd = { kind: 'cancelled' };
  const copy = save && startCopy(save);
  try {
    for await (const piece of content) {
      await copy?.add(piece);
      yield piece;
    }
    end = { kind: 'succeeded', document: undefined };
    if (copy !== undefined)
      try {
        end = { kind: 'succeeded', document: await copy.finish() };
      } catch (err) {
        logger.warn({ err }, 'The document of a report execution could not be stored');
      }
  } catch (error) {
    end = endOf(error);
    throw error;
  } finally {
    if (end.kind !== 'succeeded') await copy?.abandon();
    await endOnRecord(execution, end, logger);
  }
}

/** Records the end of an execution; a failure is only logged, since it does not affect the document. */
export async function endOnRecord(execution: Execution, end: ExecutionEnd, logger: RecordOptions['logger']) {
  try {
    await execution.end(end);
  } catch (err) {
    logger.warn({ err }, 'The end of a report execution could not be recorded');
  }
}

/** Starts a copy that is stored while the pieces arrive; a piece waits only for the previous one. */
function startCopy(save: NonNullable<RecordOptions['save']>) {
  const pieces = new PassThrough();
  // Before the store begins to read there is no listener, and the error would end the process. `save` reports it.
  pieces.on('error', () => {});
  const saved = save(pieces);
  // `finish` reports the error; until then the promise is not awaited.
  saved.catch(() => pieces.destroy());
  return {
    async add(piece: DocumentPiece): Promise<void> {
      if (pieces.destroyed || pieces.write(piece)) return;
      const stop = new AbortController();
      await Promise.race([once(pieces, 'drain', { signal: stop.signal }), saved.catch(() => undefined)]);
      stop.abort();
    },
    finish(): Promise<string> {
      pieces.end();
      return saved;
    },
    async abandon(): Promise<void> {
      pieces.destroy(new Error('The document was not finished'));
      await saved.catch(() => undefined);
    },
  };
}
