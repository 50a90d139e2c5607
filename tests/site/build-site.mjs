import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/**
 * Builds the site once, before the test files: they run at the same time, and the development server writes what a
 * build reads.
 */
export default async function buildSite() {
  await promisify(execFile)(process.execPath, ['tools/bootstrap/run.mjs', 'site:build'], {
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    env: { ...process.env, NODE_OPTIONS: '', LINTEL_SITE_BASE: process.env.LINTEL_SITE_BASE ?? '/lintel/' },
  });
}
