import type { ReadResult } from '@lintel/reading';
import { frameOf } from './respond.ts';

type Exported = Extract<ReadResult, { kind: 'stream' }>;

/** The bytes that the response to an export has. */
export async function* exportBytes({ batches, exported }: Exported): AsyncGenerator<Uint8Array> {
  if (exported?.format === 'xlsx') {
    // Loaded late: workbooks need libraries of several megabytes.
    const { workbookOf } = await import('../exports/send-workbook.ts');
    yield* await workbookOf(exported, batches);
    return;
  }
  const { opening, separator, closing } = frameOf(exported);
  let before: string | undefined;
  for await (const batch of batches) {
    if ('pieces' in batch) {
      for (const [at, piece] of batch.pieces.entries())
        if (before === undefined && at === 0) {
          yield Buffer.from(opening);
          yield Buffer.from(piece.slice(1), 'latin1');
        } else yield Buffer.from(piece, 'latin1');
    } else if (batch.length === 0) continue;
    else yield Buffer.from(`${before ?? opening}${batch.join(separator)}`);
    before = separator;
  }
  yield Buffer.from(before === undefined ? opening : closing);
}
