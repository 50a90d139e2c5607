/**
 * `npm run pack`: the packages that are published, in `.lintel/packages`. `lintel init` of a clone has an application
 * install them from there, and `npm run release` publishes them.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { npm } from '../bootstrap/installation/npm.mjs';
import { ROOT, STATE } from '../bootstrap/paths.mjs';
import { step } from '../bootstrap/progress.mjs';
import { CREATE, makeCreateLintel } from './make-create-lintel.mjs';
import { makeFacade } from './make-facade.mjs';
import { makePlatform } from './make-platform.mjs';
import { makeSelfContained } from './make-self-contained.mjs';
import { packagesToPack } from './packages-to-pack.mjs';
import { FACADES, PLATFORM, SELF_CONTAINED } from './publication.mjs';

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const contents = join(STATE, 'publish');
const target = join(STATE, 'packages');
const folderOfPackage = (name) => join(contents, name.replace('@', '').replace('/', '-'));
const fileOf = (name) => `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;

mkdirSync(STATE, { recursive: true });
const names = await step('Making the packages', makeAll);
await step(`Packing ${names.length} packages`, async () => {
  const work = mkdtempSync(join(STATE, 'pack-'));
  try {
    const folders = names.map((name) => `./${relative(ROOT, folderOfPackage(name))}`);
    await npm(['pack', '--silent', '--ignore-scripts', '--pack-destination', work, ...folders], {
      cwd: ROOT,
      purpose: 'The packages cannot be packed',
    });
    for (const name of names)
      if (!existsSync(join(work, fileOf(name))))
        throw new Error(`npm pack made no ${fileOf(name)}; it made ${readdirSync(work)}`);
    const list = Object.fromEntries(names.map((name) => [name, fileOf(name)]));
    writeFileSync(join(work, 'packages.json'), `${JSON.stringify(list, null, 2)}\n`);
    rmSync(target, { recursive: true, force: true });
    renameSync(work, target);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
});
process.stdout.write(`${names.length} packages of version ${version} in ${target}\n`);

/** @returns {Promise<readonly string[]>} the names of the packages */
async function makeAll() {
  rmSync(contents, { recursive: true, force: true });
  const made = [PLATFORM, ...Object.keys(FACADES)];
  for (const name of made) mkdirSync(folderOfPackage(name), { recursive: true });
  const parts = packagesToPack(ROOT, Object.keys(FACADES)).filter(({ name }) => !(name in SELF_CONTAINED));
  await makePlatform(folderOfPackage(PLATFORM), ROOT, parts);
  for (const name of Object.keys(FACADES)) makeFacade(folderOfPackage(name), ROOT, name);
  mkdirSync(folderOfPackage(CREATE), { recursive: true });
  await makeCreateLintel(folderOfPackage(CREATE), ROOT);
  made.push(CREATE);
  for (const folder of Object.values(SELF_CONTAINED)) {
    const name = makeSelfContained(ROOT, folder, folderOfPackage);
    made.push(name);
  }
  for (const name of made) cpSync(join(ROOT, 'LICENSE'), join(folderOfPackage(name), 'LICENSE'));
  return made.sort();
}
