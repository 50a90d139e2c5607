import type { DocumentPiece } from '../rendering/render-report.ts';

/** Yields the pieces of a document; calls `end` with the outcome, also where the reader stops early. */
export async function* measured(
  content: AsyncGenerator<DocumentPiece>,
  end: (outcome: 'ok' | 'error') => void,
): AsyncGenerator<DocumentPiece> {
  let outcome: 'ok' | 'error' = 'error';
  try {
    yield* content;
    outcome = 'ok';
  } finally {
    end(outcome);
  }
}
