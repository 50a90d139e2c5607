/**
 * `npm run site:build`: the documentation as a static site, in `site/dist`. After the packages are installed it needs
 * no network, and neither does the site.
 *
 * `LINTEL_SITE_BASE` is the path at which the site is published (`/lintel/`), `LINTEL_SITE_URL` its whole address, and
 * `LINTEL_SITE_REPOSITORY` that of the repository; without the latter, files outside of the documentation are no links.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Failure } from '../bootstrap/failure.mjs';
import { ROOT } from '../bootstrap/paths.mjs';
import { step } from '../bootstrap/progress.mjs';
import { runProgram } from '../bootstrap/run-program.mjs';
import { installPackages } from './install-packages.mjs';

const SITE = join(ROOT, 'site');
const load = (file) => import(pathToFileURL(join(SITE, 'src', file)).href);

await installPackages();
const { prepareContent } = await load('prepare-content.ts');
await step('Reading the doc comments', async () => {
  const { writeTypeScriptApi } = await load('typescript-api.ts');
  await writeTypeScriptApi();
});
await step('Building the site', async () => {
  prepareContent();
  const vitepress = join(SITE, 'node_modules', 'vitepress', 'bin', 'vitepress.js');
  const { code, output } = await runProgram(process.execPath, [vitepress, 'build', '.'], { cwd: SITE });
  if (code !== 0) throw new Failure('The site could not be built.', 'The messages above say where.', output.trim());
});
const { writeTextFiles } = await load('text-files.ts');
writeTextFiles();
process.stdout.write('The site is in site/dist.\n');
