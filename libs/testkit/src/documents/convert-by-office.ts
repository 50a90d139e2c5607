import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { testEnvironment } from '../resources/test-environment.ts';

const run = promisify(execFile);

/**
 * Converts a document by LibreOffice, which reads it as its user would: a file that needs repair is refused.
 *
 * @param from extension of the document, `xlsx`
 * @param to extension of the result, `pdf`; with a filter where the extension alone does not say enough
 *   (`csv:Text - txt - csv (StarCalc):44,34,76`)
 */
export async function convertByOffice(document: Uint8Array, from: string, to: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'lintel-office-'));
  try {
    const source = join(folder, `document.${from}`);
    await writeFile(source, document);
    const { stdout, stderr } = await run(
      testEnvironment('LINTEL_TEST_OFFICE_PROGRAM'),
      [
        // A profile of its own: two processes never share one.
        `-env:UserInstallation=${pathToFileURL(join(folder, 'profile')).href}`,
        '--headless',
        '--norestore',
        '--convert-to',
        to,
        '--outdir',
        join(folder, 'result'),
        source,
      ],
      { timeout: 120_000, env: { ...process.env, HOME: folder } },
    );
    try {
      return await readFile(join(folder, 'result', `document.${to.split(':')[0]}`));
    } catch (cause) {
      throw new Error(`LibreOffice does not convert the document: ${stdout}${stderr}`, { cause });
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
