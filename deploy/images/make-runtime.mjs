/**
 * `node deploy/images/make-runtime.mjs <folder> <service>`: makes the folder that the image of a service holds as
 * `/app`. The service is `service/dist/main.js` there; `sbom.cdx.json` lists the packages.
 */
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { billOfMaterials } from './bill-of-materials.mjs';
import { bundleApplication } from './bundle-application.mjs';
import { bundleModules } from './bundle-modules.mjs';
import { collectRuntime, describe, foldersNeededBy, imageContents } from './collect-runtime.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const TEST = /\.test\.ts$/;
const REPOSITORY = join(HERE, '..', '..');
/** Programs that the image runs in addition to the service. */
export const PROGRAMS = [
  'health-check.mjs',
  'ask-health.mjs',
  'compile-ahead.mjs',
  'keep-compiled.mjs',
  'empty-backends',
];

/**
 * Makes the folder; the repository must be built.
 *
 * @param {string} target a folder that is made
 * @param {string} service
 * @returns {Promise<readonly string[]>} packages that were copied, folders relative to the repository
 */
export async function makeRuntime(target, service) {
  const folders = collectRuntime(target, imageContents(service));
  symlinkSync(`services/${service}`, join(target, 'service'));
  copyPrograms(target);
  await bundleModules(target, service);
  await bundleApplication(join(target, 'examples', 'sales'), join('dist', 'index.js'));
  return folders;
}

/**
 * Copies the programs without their tests, which a build of images has no copy of, but other builds have.
 *
 * @param {string} target
 */
export function copyPrograms(target) {
  for (const program of PROGRAMS)
    cpSync(join(HERE, program), join(target, program), { recursive: true, filter: (path) => !TEST.test(path) });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [target, service] = process.argv.slice(2);
  const folders = await makeRuntime(resolve(target), service);
  const packages = folders.map((folder) => ({
    folder,
    description: describe(join(REPOSITORY, folder)),
    needs: foldersNeededBy(folder),
  }));
  const lock = JSON.parse(readFileSync(join(REPOSITORY, 'package-lock.json'), 'utf8'));
  const bill = billOfMaterials({ service, packages, lock });
  writeFileSync(join(target, 'sbom.cdx.json'), `${JSON.stringify(bill, null, 1)}\n`);
  process.stdout.write(`${folders.length} packages in ${target}\n`);
}
