import type { DocumentPiece } from '../rendering/render-report.ts';

/** The pieces of a document; `end` is told how their making ended, also where nobody takes the rest of them. */
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
