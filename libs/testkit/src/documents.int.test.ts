import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { convertByOffice, picturesOfPdf, testEnvironment, textOfPdf } from './index.ts';

test('LibreOffice makes a PDF of a table, and its text and pages can be read', async () => {
  const pdf = await convertByOffice(new TextEncoder().encode('<table><tr><td>Pen<td>1.50</table>'), 'html', 'pdf');
  expect(await textOfPdf(pdf)).toMatch(/Pen\s+1\.50/);
  const [page] = await picturesOfPdf(pdf);
  expect(page?.subarray(1, 4).toString()).toBe('PNG');
});

test('a document that LibreOffice cannot convert is an error', async () => {
  await expect(convertByOffice(new TextEncoder().encode('PK no zip'), 'html', 'nothing')).rejects.toThrow(
    'LibreOffice',
  );
});

test('Chromium is there and says what it is', async () => {
  const { stdout } = await promisify(execFile)(testEnvironment('LINTEL_TEST_CHROMIUM_PROGRAM'), ['--version']);
  expect(stdout).toMatch(/Chrom/);
});
