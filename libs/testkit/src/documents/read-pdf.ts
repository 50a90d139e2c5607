import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { testEnvironment } from '../resources/test-environment.ts';

const run = promisify(execFile);

/** The text of a PDF file, pages separated by form feeds; columns stay side by side. */
export const textOfPdf = (pdf: Uint8Array): Promise<string> =>
  inFolder(pdf, async (file) => (await run(testEnvironment('LINTEL_TEST_PDF_TO_TEXT'), ['-layout', file, '-'])).stdout);

/** The pages of a PDF file as PNG pictures. */
export const picturesOfPdf = (pdf: Uint8Array, dotsPerInch = 72): Promise<readonly Buffer[]> =>
  inFolder(pdf, async (file, folder) => {
    const parameters = ['-png', '-r', String(dotsPerInch), file, join(folder, 'page')];
    await run(testEnvironment('LINTEL_TEST_PDF_TO_PICTURES'), parameters);
    const pages = (await readdir(folder)).filter((name) => name.endsWith('.png')).sort();
    return Promise.all(pages.map((page) => readFile(join(folder, page))));
  });

async function inFolder<T>(pdf: Uint8Array, work: (file: string, folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'lintel-pdf-'));
  try {
    const file = join(folder, 'document.pdf');
    await writeFile(file, pdf);
    return await work(file, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
