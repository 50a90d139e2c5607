/**
 * `node tools/release/check-tag.mjs v0.2.0 [owner/name]`: whether a tag is the version of the packages, and the changelog describes
 * it; and whether a workflow runs in the repository of the packages. Prints the notes of the release.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../bootstrap/paths.mjs';
import { notesOf } from './changelog.mjs';
import { repositoryProblem } from './repository.mjs';

const [tag, running] = process.argv.slice(2);
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
if (tag !== `v${version}`) {
  process.stderr.write(`The tag ${tag} is not the version of the packages, v${version}.\n`);
  process.exit(1);
}
const problem = repositoryProblem(ROOT, running);
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
process.stdout.write(`${notesOf(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'), version)}\n`);
