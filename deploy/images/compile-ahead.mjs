/**
 * `node compile-ahead.mjs <folder>`, within the image of a service: keeps what V8 makes of the code that a start loads,
 * application included, in a folder for NODE_COMPILE_CACHE. Node uses it only with the same version and the same
 * options of V8, on the same kind of processor, as the same user, and for files that have not changed; otherwise it
 * compiles as if there were none.
 */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Options of V8 that services are deployed with: the entry point of the image first. */
const NODE_OPTIONS = [['--max-semi-space-size=4', '--heap-growing-percent=50']];
const NODE_OPTIONS_OF = {
  data: [...NODE_OPTIONS, ['--max-semi-space-size=16', '--heap-growing-percent=50']],
  files: [...NODE_OPTIONS, ['--expose-gc', '--max-semi-space-size=1', '--optimize-for-size']],
  reports: [...NODE_OPTIONS, ['--max-semi-space-size=8', '--heap-growing-percent=20']],
};
const TIMEOUT_MS = 120_000;
/** In the image as well: its own folder is the one of this file. */
const KEEP_COMPILED = new URL('keep-compiled.mjs', import.meta.url).href;
/** An image is made where there are no backends. */
const EMPTY_BACKENDS = new URL('empty-backends/start-empty-backends.mjs', import.meta.url).href;
const SETTINGS = {
  SVC_INTERNAL_SECRET: randomUUID(),
  SVC_AUTHSERVER_KEY_ENCRYPTION_SECRET: randomUUID(),
  SVC_FILES_STORAGE_FS_KIND: 'folder',
  SVC_SECURITY_ALLOW_INSECURE: 'default-secrets',
};
const LISTENERS = {
  gateway: ['GATEWAY', 'GATEWAY_MANAGEMENT'],
  auth: ['AUTH', 'AUTH_INTERNAL', 'AUTH_MANAGEMENT'],
  data: ['DATA', 'DATA_INTERNAL', 'DATA_MANAGEMENT'],
  files: ['FILES', 'FILES_INTERNAL', 'FILES_MANAGEMENT'],
  reports: ['REPORTS', 'REPORTS_MANAGEMENT'],
};

/** @param {string} service */
export const optionsToCompileFor = (service) => NODE_OPTIONS_OF[service] ?? NODE_OPTIONS;

/**
 * Starts the service twice. Without its settings it loads all its code, says what it misses, and ends: Node keeps the
 * code of the modules. With settings and backends that are empty it starts as in an installation: the functions that
 * were called until it was ready, or could not go on, are kept, too.
 *
 * @param {string} service
 * @param {string} cache a folder that is made
 * @param {string} [image] the folder with what the image holds; the working folder without it
 * @throws {Error} where the service does not get as far as that, or nothing is kept
 */
export function compileAhead(service, cache, image = process.cwd()) {
  for (const options of optionsToCompileFor(service)) {
    const folder = mkdtempSync(join(tmpdir(), 'compile-ahead-'));
    try {
      const loaded = keepModules(service, options, image, join(folder, 'loaded'));
      const target = join(cache, basename(loaded));
      // The size of the young generation makes no difference to compiled code.
      if (existsSync(target)) continue;
      cpSync(loaded, target, { recursive: true });
      cpSync(keepCalledFunctions(service, options, image, folder), target, { recursive: true });
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
  // Node keeps it to the user who compiled.
  for (const { parentPath, name } of filesIn(cache)) chmodSync(join(parentPath, name), 0o644);
}

function keepModules(service, options, image, cache) {
  const { status, stderr } = start(image, options, { NODE_COMPILE_CACHE: cache });
  if (status !== 1 || !/\(SVC_\w+\): is required/.test(stderr))
    throw new Error(`${service} did not end for want of its settings but with ${status}:\n${stderr}`);
  return onlyFolderOf(cache, stderr);
}

function keepCalledFunctions(service, options, image, folder) {
  const ports = Object.fromEntries((LISTENERS[service] ?? []).map((name) => [`SVC_${name}_PORT`, '0']));
  const settings = { ...SETTINGS, ...ports, SVC_FILES_STORAGE_FS_PATH: folder };
  const kept = join(folder, 'kept');
  const parameters = [
    ...options,
    '--no-warnings',
    '--expose-internals',
    '--import',
    EMPTY_BACKENDS,
    '--import',
    `${KEEP_COMPILED}?${encodeURIComponent(kept)}`,
  ];
  const { stderr } = start(image, parameters, settings);
  return onlyFolderOf(kept, stderr);
}

/** Named by Node for its version and the options of V8 that the cache was opened with. */
function onlyFolderOf(cache, stderr) {
  const [name] = existsSync(cache) ? readdirSync(cache) : [];
  if (name === undefined || filesIn(cache).length === 0) throw new Error(`Node kept nothing in ${cache}:\n${stderr}`);
  return join(cache, name);
}

function start(image, options, environment) {
  const { status, stderr, error } = spawnSync(
    process.execPath,
    [...options, '--import', '@lintel/telemetry/register', 'service/dist/main.js'],
    {
      cwd: image,
      env: { NODE_ENV: 'production', SVC_APPLICATION: process.env.SVC_APPLICATION, ...environment },
      encoding: 'utf8',
      timeout: TIMEOUT_MS,
    },
  );
  if (error !== undefined) throw error;
  return { status, stderr };
}

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  compileAhead(process.env.LINTEL_SERVICE, resolve(process.argv[2]));
}
