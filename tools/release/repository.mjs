import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where READMEs say that the repository is. */
const WRITTEN = 'https://github.com/lintel/lintel';

/**
 * The address of the repository: `repository` of the root package.json, from which a release takes all of its links.
 *
 * @param {string} root the repository
 */
export function repositoryUrl(root) {
  const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
}

/**
 * Copies the README of a package, with links to the repository of the release.
 *
 * @param {string} root the repository
 * @param {string} folder
 * @param {string} target a folder
 */
export function copyReadme(root, folder, target) {
  const text = readFileSync(join(folder, 'README.md'), 'utf8').replaceAll(WRITTEN, repositoryUrl(root));
  writeFileSync(join(target, 'README.md'), text);
}

/**
 * What is wrong where a workflow runs in another repository: npm would refuse the provenance of the packages.
 *
 * @param {string} root the repository
 * @param {string | undefined} running `owner/name`, of the workflow
 * @returns {string | undefined}
 */
export function repositoryProblem(root, running) {
  const address = repositoryUrl(root);
  if (running === undefined || address.toLowerCase().endsWith(`/${running.toLowerCase()}`)) return undefined;
  return `The workflow runs in ${running}, and "repository" of package.json is ${address}: change it there.`;
}
