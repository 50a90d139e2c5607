import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { Logger } from '@lintel/telemetry';
import type { DocumentPiece } from '../rendering/render-report.ts';
import type { Execution, ExecutionEnd } from './execution-history.ts';

export interface RecordOptions {
  /** Keeps a copy of the document, and answers its file reference; absent where no copy is kept. */
  readonly save: ((content: AsyncIterable<Uint8Array>) => Promise<string>) | undefined;
  /** How the execution ended that `error` broke off. */
  readonly endOf: (error: unknown) => ExecutionEnd;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Passes a document on, keeps a copy where one is wanted, and puts its end on record. */
export async function* recordDocument(
  content: AsyncIterable<DocumentPiece>,
  execution: Execution,
  { save, endOf, logger }: RecordOptions,
): AsyncGenerator<DocumentPiece> {
  // Whoever reads the document may leave: then nothing below is told of it but `finally`.
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
        logger.warn({ err }, 'The document of a report execution could not be kept');
      }
  } catch (error) {
    end = endOf(error);
    throw error;
  } finally {
    if (end.kind !== 'succeeded') await copy?.abandon();
    await endOnRecord(execution, end, logger);
  }
}

/** The document itself is there or not, whatever becomes of its record. */
export async function endOnRecord(execution: Execution, end: ExecutionEnd, logger: RecordOptions['logger']) {
  try {
    await execution.end(end);
  } catch (err) {
    logger.warn({ err }, 'The end of a report execution could not be recorded');
  }
}

/** A copy that is stored while the pieces come; no piece waits for more than the one before it. */
function startCopy(save: NonNullable<RecordOptions['save']>) {
  const pieces = new PassThrough();
  // A store that has not begun to read listens to nothing: the error would end the process. `save` reports it.
  pieces.on('error', () => {});
  const saved = save(pieces);
  // Told by `finish`; until then nobody waits for it.
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
