import { kindOfDocument, readDocument } from './read-document.ts';

test.each([
  ['application/pdf', 'pdf'],
  ['Application/PDF; version=1.7', 'pdf'],
  ['text/html; charset=utf-8', 'html'],
  ['text/csv', 'table'],
  ['text/plain', 'text'],
  ['application/json', 'text'],
  ['image/png', 'image'],
  ['image/webp', 'image'],
  // It can have scripts.
  ['image/svg+xml', 'none'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'office'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'office'],
  ['application/vnd.ms-excel', 'none'],
  ['application/xhtml+xml', 'none'],
  ['application/zip', 'none'],
  ['', 'none'],
] as const)('a document of the type %s is shown as %s', (contentType, expected) => {
  expect(kindOfDocument(contentType)).toBe(expected);
});

const download = (contentType: string, content: string, name?: string) =>
  ({ name, contentType, blob: async () => new Blob([content]) }) as never;

test('a text is read, without the mark at its begin', async () => {
  const document = await readDocument(download('text/csv', '\uFEFFName;Größe\n', 'sizes.csv'));
  expect(document).toMatchObject({ name: 'sizes.csv', kind: 'table', text: 'Name;Größe\n' });
});

test('a document that is no text has its bytes alone, and a name in any case', async () => {
  const document = await readDocument(download('application/pdf', '%PDF'));
  expect([document.name, document.kind, 'text' in document, document.blob.size]).toEqual(['document', 'pdf', false, 4]);
});
