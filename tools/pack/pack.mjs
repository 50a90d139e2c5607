/**
 * `npm run pack`: the packages that applications are made of, as npm would publish them, in `.lintel/packages`.
 * Until they are published, `lintel init` has an application install them from there.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from '../bootstrap/npm.mjs';
import { ROOT, STATE } from '../bootstrap/paths.mjs';
import { step } from '../bootstrap/progress.mjs';
import { packagesToPack } from './packages-to-pack.mjs';

/** What applications name; everything else follows from their dependencies. */
const ROOTS = [
  '@lintel/application',
  '@lintel/cli',
  '@lintel/http',
  '@lintel/metadata',
  '@lintel/security',
  '@lintel/test',
];

const target = join(STATE, 'packages');
const packages = packagesToPack(ROOT, ROOTS);

await step(`Packing ${packages.length} packages`, async () => {
  const work = mkdtempSync(join(STATE, 'pack-'));
  try {
    await npm(
      ['pack', '--silent', '--pack-destination', work, ...packages.flatMap(({ folder }) => ['--workspace', folder])],
      { cwd: ROOT, purpose: 'The packages cannot be packed' },
    );
    const list = Object.fromEntries(packages.map(({ name, file }) => [name, file]));
    for (const file of Object.values(list))
      if (!existsSync(join(work, file))) throw new Error(`npm pack made no ${file}; it made ${readdirSync(work)}`);
    writeFileSync(join(work, 'packages.json'), `${JSON.stringify(list, null, 2)}\n`);
    rmSync(target, { recursive: true, force: true });
    renameSync(work, target);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
});
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
process.stdout.write(`${packages.length} packages of version ${version} in ${target}\n`);
