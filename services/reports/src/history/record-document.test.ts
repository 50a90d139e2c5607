import type { DocumentPiece } from '@lintel/documents';
import { recordDocument } from './record-document.ts';

const execution = { end: async () => undefined };
const options = { endOf: () => ({ kind: 'failed' as const, message: 'failed' }), logger: { warn: () => {} } };

async function* broken(): AsyncGenerator<DocumentPiece> {
  yield 'piece';
  throw new Error('rendering failed');
}

/** Everything that arrives, then the error. */
async function read(content: AsyncIterable<DocumentPiece>): Promise<readonly DocumentPiece[]> {
  return Array.fromAsync(content);
}

test.each([
  [
    'has not begun to read it',
    () => new Promise<string>((_, reject) => setTimeout(() => reject(new Error('late')), 20)),
  ],
  ['refuses at once', () => Promise.reject(new Error('refused'))],
] as const)('a document that breaks off ends its copy, where the store %s', async (_, save) => {
  const document = recordDocument(broken(), execution as never, { ...options, save } as never);
  await expect(read(document)).rejects.toThrow('rendering failed');
  // An error of the copy that had no listener would have ended the process by now.
  await new Promise((resolve) => setTimeout(resolve, 50));
});

test('a reader that leaves ends the copy', async () => {
  const save = () => new Promise<string>((_, reject) => setTimeout(() => reject(new Error('late')), 20));
  const document = recordDocument(broken(), execution as never, { ...options, save } as never);
  await document.next();
  await document.return(undefined);
  await new Promise((resolve) => setTimeout(resolve, 50));
});
