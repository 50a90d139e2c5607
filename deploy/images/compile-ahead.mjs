/**
 * `node compile-ahead.mjs <folder>`, within the image of a service: keeps what V8 makes of the code that a start loads,
 * application included, in a folder for NODE_COMPILE_CACHE. Node uses it only with the same version and the same
 * options of V8, on the same kind of processor, as the same user, and for files that have not changed; otherwise it
 * compiles as if there were none.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Options of V8 that services are deployed with: the entry point of the image first. */
const NODE_OPTIONS = [['--max-semi-space-size=8', '--heap-growing-percent=50']];
const NODE_OPTIONS_OF = {
  data: [...NODE_OPTIONS, ['--max-semi-space-size=32', '--heap-growing-percent=50']],
  files: [...NODE_OPTIONS, ['--expose-gc', '--max-semi-space-size=1', '--optimize-for-size']],
  reports: [...NODE_OPTIONS, ['--max-semi-space-size=8', '--heap-growing-percent=20']],
};
const TIMEOUT_MS = 120_000;

/** @param {string} service */
export const optionsToCompileFor = (service) => NODE_OPTIONS_OF[service] ?? NODE_OPTIONS;

/**
 * Starts the service without its settings: it loads all its code, says what it misses, and ends.
 *
 * @param {string} service
 * @param {string} cache a folder that is made
 * @param {string} [image] the folder with what the image holds; the working folder without it
 * @throws {Error} where the service does not get as far as that, or nothing is kept
 */
export function compileAhead(service, cache, image = process.cwd()) {
  for (const options of optionsToCompileFor(service)) {
    const { status, stderr, error } = spawnSync(
      process.execPath,
      [...options, '--import', '@lintel/telemetry/register', 'service/dist/main.js'],
      {
        cwd: image,
        env: { NODE_ENV: 'production', SVC_APPLICATION: process.env.SVC_APPLICATION, NODE_COMPILE_CACHE: cache },
        encoding: 'utf8',
        timeout: TIMEOUT_MS,
      },
    );
    if (error !== undefined) throw error;
    if (status !== 1 || !/\(SVC_\w+\): is required/.test(stderr))
      throw new Error(`${service} did not end for want of its settings but with ${status}:\n${stderr}`);
  }
  const files = readdirSync(cache, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  if (files.length === 0) throw new Error(`Node kept nothing in ${cache}`);
  // Node keeps it to the user who compiled.
  for (const { parentPath, name } of files) chmodSync(join(parentPath, name), 0o644);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  compileAhead(process.env.LINTEL_SERVICE, resolve(process.argv[2]));
}
