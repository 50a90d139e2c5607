/**
 * `npm run release:version`: gives all packages the version that the changesets ask for, and writes it where
 * changesets do not look: the root, the chart, the Dockerfile, the base of Kustomize, the changelog. The lock file and rendered files follow
 * with the commands of CONTRIBUTING.md.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../bootstrap/paths.mjs';
import { closeUnreleased } from './changelog.mjs';
import { versionedFiles, withVersion } from './with-version.mjs';

// The first version is in all files from the start.
const isFirst = !/^## \d/m.test(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'));
if (!isFirst) {
  const changesets = join(ROOT, 'node_modules', '.bin', 'changeset');
  const { status } = spawnSync(process.execPath, [changesets, 'version'], { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

const { version } = JSON.parse(readFileSync(join(ROOT, 'libs', 'application', 'package.json'), 'utf8'));
const { version: before } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
if (version === before && !isFirst) {
  process.stderr.write('No changeset asks for a version: add one with "npx changeset".\n');
  process.exit(1);
}
for (const file of versionedFiles(ROOT)) change(file, (text) => withVersion(file, text, version));
change('CHANGELOG.md', (text) => closeUnreleased(text, version, new Date().toISOString().slice(0, 10)));
process.stdout.write(`${before} → ${version}\n`);

function change(file, edit) {
  const path = join(ROOT, file);
  writeFileSync(path, edit(readFileSync(path, 'utf8')));
}
