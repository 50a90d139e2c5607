import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { bodyOf, docxOf, fillDocx } from './docx-fixture.ts';

const FOLDER = new URL('../../../../libs/documents/test/docx/cases/', import.meta.url);
const CASES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.in.xml'))
  .map((name) => name.slice(0, -'.in.xml'.length));

/** `cases/<name>.in.xml` is the body of a template, `<name>.out.xml` that of the document. */
// Asserts contract/report-templates.md#docx, contract/report-templates.md#formats,
// contract/report-templates.md#values.
test.each(CASES)('the template %s becomes its document', async (name) => {
  const read = (kind: string): string => readFileSync(new URL(`${name}.${kind}.xml`, FOLDER), 'utf8');
  const document = await bodyOf(await fillDocx(docxOf({ body: read('in') })));
  // `LINTEL_GOLDEN=write` writes what comes out; look at the difference before it is committed.
  if (process.env['LINTEL_GOLDEN'] === 'write') writeFileSync(new URL(`${name}.out.xml`, FOLDER), document);
  expect(document).toBe(read('out'));
});
