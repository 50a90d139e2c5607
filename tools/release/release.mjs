/** `npm run release`: packs, signs and publishes a version. `npm run release -- --help` lists the registries. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Failure } from '../bootstrap/failure.mjs';
import { ROOT } from '../bootstrap/paths.mjs';
import { step } from '../bootstrap/progress.mjs';
import { reportFailure } from '../bootstrap/report-failure.mjs';
import { notesOf } from './changelog.mjs';
import { cosign } from './cosign.mjs';
import { isLocal, run } from './run.mjs';

const OPTIONS = Object.fromEntries(
  ['registry', 'images', 'reports-runtime', 'charts', 'key'].map((name) => [name, { type: 'string' }]),
);
const script = (path, ...parameters) => run(process.execPath, [join(ROOT, 'tools', path), ...parameters]);
const publish = async (title, path, ...parameters) => {
  const output = await step(title, () => script(path, ...parameters));
  process.stdout.write(`${output}\n`);
  return output.split('\n');
};

try {
  const { registry, images, 'reports-runtime': runtime = 'documents', charts, key } = targets();
  const named = [registry?.replace(/^https?:\/\//, ''), images, charts].filter((target) => target !== undefined);
  if (!named.every(isLocal)) await assertReleasable();
  const byKey = key === undefined ? [] : ['--key', key];
  if (registry !== undefined) {
    await step('Packing', () => script('pack/pack.mjs'));
    await step('Signing the packages', () => script('release/attest-packages.mjs', ...byKey));
    await publish('Publishing the packages', 'release/publish-packages.mjs', registry);
  }
  if (images !== undefined)
    for (const image of await publish('Building and pushing the images', 'release/publish-images.mjs', images, runtime))
      await step(`Signing ${image}`, () => script('release/sign-image.mjs', image, ...byKey));
  if (charts !== undefined)
    for (const chart of await publish('Publishing the chart', 'release/publish-chart.mjs', charts))
      await step(`Signing ${chart}`, () => cosign('sign', [chart], key));
} catch (error) {
  reportFailure(error);
}

function targets() {
  try {
    const { values } = parseArgs({ options: OPTIONS });
    const named = [values.registry, values.images, values.charts].filter((target) => target !== undefined);
    if (named.length === 0) throw new Error('No registry is named.');
    if (named.some((target) => target.includes('@')))
      throw new Error('Log in at the registry: an address with a password is visible in the list of processes.');
    return values;
  } catch (error) {
    throw new Failure(error.message, 'See "npm run release -- --help".');
  }
}

/** A registry of others gets what a commit has and the changelog describes. */
async function assertReleasable() {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  notesOf(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'), version);
  const changed = await run('git', ['status', '--porcelain']);
  if (changed !== '') throw new Failure('There are changes without a commit.', 'Commit them.', changed);
}
