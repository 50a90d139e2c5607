/**
 * `node tools/release/publish-packages.mjs <registry>`: publishes the packages of `npm run pack`. Versions that the
 * registry has are left out, so that an interrupted release is repeated.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../bootstrap/failure.mjs';
import { npm } from '../bootstrap/installation/npm.mjs';
import { ROOT, STATE } from '../bootstrap/paths.mjs';
import { reportFailure } from '../bootstrap/report-failure.mjs';

const FOLDER = join(STATE, 'packages');
const registry = process.argv[2]?.replace(/\/*$/, '/');
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const files = JSON.parse(readFileSync(join(FOLDER, 'packages.json'), 'utf8'));

try {
  let published = 0;
  for (const name of Object.keys(files).sort((one, other) => rank(one) - rank(other)))
    if (await publish(name, join(FOLDER, files[name]))) published += 1;
  process.stdout.write(`${published} packages of version ${version} published, ${registry} had the others\n`);
} catch (error) {
  reportFailure(error);
}

/** The package with the code is there before those that need it, and the command that installs them comes last. */
function rank(name) {
  return ['@lintel/platform', name, 'create-lintel'].indexOf(name);
}

/** @returns {Promise<boolean>} whether the registry did not have it */
async function publish(name, file) {
  const there = await integrityOf(name);
  if (there !== undefined) {
    const here = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
    if (there === here) return false;
    throw new Failure(
      `${registry} has ${name} ${version} with other contents.`,
      'Release the commit that was released before, or raise the version with "npm run release:version".',
    );
  }
  // A version that is not final must not become "latest".
  const tag = version.includes('-') ? 'next' : 'latest';
  await npm(['publish', file, '--registry', registry, '--tag', tag, '--access', 'public', '--ignore-scripts'], {
    cwd: FOLDER,
    purpose: `${name} cannot be published`,
  });
  return true;
}

async function integrityOf(name) {
  const response = await fetch(`${registry}${name.replace('/', '%2f')}/${version}`);
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Failure(`${registry} returns ${response.status} for ${name}.`, 'Check its address.');
  const { dist } = await response.json();
  return dist.integrity;
}
