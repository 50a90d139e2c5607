import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../failure.mjs';
import { ROOT, STATE } from '../paths.mjs';
import { step } from '../progress.mjs';
import { isInstalled } from './is-installed.mjs';
import { npm } from './npm.mjs';

const STAMP = join(STATE, 'packages.stamp');
const LOCK = join(ROOT, 'package-lock.json');

/** Runs `npm ci` when the installed packages are not those of the lock file. */
export async function installPackages() {
  if (!existsSync(LOCK)) {
    throw new Failure('The file package-lock.json is missing.', 'Restore it with "git checkout package-lock.json".');
  }
  const lock = readFileSync(LOCK);
  const stamp = `${createHash('sha256').update(lock).digest('hex')} ${process.platform}-${process.arch}\n`;
  if (existsSync(join(ROOT, 'node_modules')) && readText(STAMP) === stamp) return;
  // A developer may have run `npm install` by hand; then there is nothing to do.
  if (!isInstalled(JSON.parse(String(lock)), ROOT)) {
    await step('Installing packages (npm ci)', () =>
      npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
        cwd: ROOT,
        purpose: 'The packages cannot be installed',
      }),
    );
  }
  mkdirSync(STATE, { recursive: true });
  writeFileSync(STAMP, stamp);
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}
