/**
 * `npm run site`: the documentation in the browser, from its sources. A changed document is shown at once; the pages of
 * the TypeScript API are made at the first start, and by `npm run site:build`.
 */
import { spawn } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../bootstrap/paths.mjs';
import { step } from '../bootstrap/progress.mjs';
import { installPackages } from './install-packages.mjs';

const SITE = join(ROOT, 'site');
const load = (file) => import(pathToFileURL(join(SITE, 'src', file)).href);
/** A change of a file is notified more than once. */
const WAIT_MS = 100;

await installPackages();
const { prepareContent } = await load('prepare-content.ts');
if (!existsSync(join(SITE, '.content/reference/typescript/index.md')))
  await step('Reading the doc comments', async () => {
    const { writeTypeScriptApi } = await load('typescript-api.ts');
    await writeTypeScriptApi();
  });
prepareContent();
const vitepress = join(SITE, 'node_modules', 'vitepress', 'bin', 'vitepress.js');
const server = spawn(process.execPath, [vitepress, 'dev', '.', '--host', '127.0.0.1'], { cwd: SITE, stdio: 'inherit' });
server.on('exit', (code) => process.exit(code ?? 1));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));

let timer;
for (const folder of ['docs', 'site/start'])
  watch(join(ROOT, folder), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      try {
        prepareContent();
      } catch (error) {
        // The author is still writing: the next change is tried again.
        process.stderr.write(`${error.message}\n`);
      }
    }, WAIT_MS);
  });
