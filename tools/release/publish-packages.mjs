/**
 * `node tools/release/publish-packages.mjs [--registry <url>] [--without-provenance]`, after `npm run pack`: publishes
 * the packages of `.lintel/publish`, each after those that it needs. Versions that the registry has are left out, so
 * that a release that was interrupted can be repeated.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { STATE } from '../bootstrap/paths.mjs';
import { inOrderOfNeed } from './in-order-of-need.mjs';

const { values } = parseArgs({
  options: { registry: { type: 'string' }, 'without-provenance': { type: 'boolean', default: false } },
});
const contents = join(STATE, 'publish');
if (!existsSync(contents)) throw new Error('There are no packages: run "npm run pack" first');

const packages = readdirSync(contents).map((name) => {
  const folder = join(contents, name);
  return { folder, description: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) };
});
const registry = values.registry === undefined ? [] : ['--registry', values.registry];
const provenance = values['without-provenance'] ? ['--provenance=false'] : [];
// A version that is not final must not become "latest".
const tagOf = ({ version }) => (version.includes('-') ? ['--tag', 'next'] : []);

for (const { folder, description } of inOrderOfNeed(packages)) {
  const { name, version } = description;
  const known = npm(['view', `${name}@${version}`, 'version', ...registry], 'pipe');
  if (known.status === 0 && known.stdout.trim() !== '') {
    process.stdout.write(`${name} ${version} is published already\n`);
    continue;
  }
  const { status } = npm(
    ['publish', folder, '--ignore-scripts', ...tagOf(description), ...registry, ...provenance],
    'inherit',
  );
  if (status !== 0) process.exit(status ?? 1);
  process.stdout.write(`${name} ${version} published\n`);
}

function npm(parameters, output) {
  const stdio = ['ignore', output, output];
  return spawnSync('npm', parameters, { stdio, encoding: 'utf8', shell: process.platform === 'win32' });
}
