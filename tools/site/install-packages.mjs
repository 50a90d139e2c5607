import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from '../bootstrap/installation/npm.mjs';
import { ROOT } from '../bootstrap/paths.mjs';
import { step } from '../bootstrap/progress.mjs';

const SITE = join(ROOT, 'site');
const STAMP = join(SITE, 'node_modules', '.lintel-stamp');

/** Installs the packages of the site when those that are there are not the ones of its lock file. */
export async function installPackages() {
  const lock = readFileSync(join(SITE, 'package-lock.json'));
  const stamp = `${createHash('sha256').update(lock).digest('hex')} ${process.platform}-${process.arch}\n`;
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp) return;
  await step('Installing the packages of the site (npm ci)', () =>
    npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: SITE,
      purpose: 'The packages of the site cannot be installed',
    }),
  );
  writeFileSync(STAMP, stamp);
}
