/**
 * `npm run test:images`: builds the images of a clean checkout with each container engine of this machine, and runs the
 * compose file with them. Where there is no engine, nothing is tested, and a sentence says why. Jest gets the
 * parameters. The base images are built from packages of Debian and npm unless BUILD_IMAGE and RUNTIME_IMAGE name others.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../../bootstrap/paths.mjs';
import { runProgram } from '../../bootstrap/run-program.mjs';
import { runJest } from '../stages.mjs';
import { findCompose, openEngines } from './container-engines.mjs';

const SCRIPTS = join(ROOT, 'tools', 'test', 'images');
const BASES = ['build', 'runtime', 'backends'];

/** Makes the base images, once for each Node and each state of the script, and imports them into the engines. */
async function importBases(engines, cache, env) {
  const texts = ['make-base-images.sh', 'backends-entrypoint.sh'].map((file) => readFileSync(join(SCRIPTS, file)));
  const hash = createHash('sha256').update(Buffer.concat(texts)).update(process.version).digest('hex').slice(0, 12);
  const folder = join(cache, 'images', hash);
  const made = await runProgram('sh', [join(SCRIPTS, 'make-base-images.sh'), folder, ...BASES], { cwd: ROOT, env });
  if (made.code !== 0) throw new Error(`The base images cannot be made:\n${made.output}`);
  for (const engine of engines)
    for (const base of BASES) {
      const [program, ...before] = engine.command;
      const image = `lintel-base:${base}`;
      const options = { env: { ...process.env, ...engine.env }, stdio: 'pipe' };
      execFileSync(program, [...before, 'import', ...CHANGES[base], join(folder, `${base}.tar`), image], options);
    }
}

const change = (...instructions) => instructions.flatMap((instruction) => ['--change', instruction]);
const CHANGES = {
  build: change('ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt'),
  runtime: [],
  backends: change('ENTRYPOINT ["entrypoint"]', 'WORKDIR /data'),
};

/** Extracts the last commit, without files that are on this machine only. */
function checkOut(folder) {
  mkdirSync(folder);
  const archive = execFileSync('git', ['archive', 'HEAD'], { cwd: ROOT, maxBuffer: 1024 ** 3 });
  execFileSync('tar', ['--extract', '--directory', folder], { input: archive });
}

/** The program of an S3 server. */
async function findMinio() {
  const { startHost } = await import('@lintel/testkit/host');
  const host = await startHost(['minio']);
  await host.stop();
  return host.origins.map(({ origin }) => origin).find(existsSync);
}

/** A daemon that ends may leave file systems of its containers, which cannot be removed and would hide the result. */
function unmountIn(folder) {
  const paths = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1])
    .filter((path) => path?.startsWith(`${folder}/`));
  if (paths.length > 0) execFileSync('umount', ['--lazy', ...paths.reverse()]);
}

/**
 * Tests all that this machine can: `note` names what it cannot.
 *
 * @param {{ parameters?: readonly string[], env?: Record<string, string | undefined> }} [options]
 * @returns {Promise<import('../stages.mjs').StageResult>}
 */
export async function testImages({ parameters = [], env = process.env } = {}) {
  const { cacheFolder } = await import('@lintel/testkit/backends');
  const cache = cacheFolder();
  const folder = mkdtempSync(join(env.LINTEL_TEST_IMAGES_FOLDER ?? tmpdir(), 'lintel-images-'));
  const { engines, missing, stop } = await openEngines(folder);
  try {
    const skip = (...reasons) => ({ passed: 0, failed: 0, output: '', note: `skipped: ${reasons.join('; ')}` });
    if (engines.length === 0) return skip(...missing);
    if (process.getuid() !== 0 || !existsSync('/usr/sbin/debootstrap'))
      return skip('base images are made by debootstrap, which is not installed, or by root');
    const [minio, compose] = [await findMinio(), await findCompose(engines[0], cache)];
    if (minio === undefined || compose === undefined) return skip('neither MinIO nor Docker Compose v2 can be built');
    await importBases(engines, cache, { ...env, MINIO_PROGRAM: minio });
    const sources = join(folder, 'sources');
    checkOut(sources);
    const result = await runJest(['images'], {
      env: {
        ...env,
        LINTEL_TEST_ENGINES: JSON.stringify(engines),
        LINTEL_TEST_COMPOSE: JSON.stringify(compose),
        LINTEL_TEST_SOURCES: sources,
      },
      parameters: ['--runInBand', ...parameters],
    });
    return { ...result, ...(missing.length > 0 && { note: `without: ${missing.join('; ')}` }) };
  } finally {
    await stop();
    unmountIn(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { passed, failed, output, note } = await testImages({ parameters: process.argv.slice(2) });
  process.stdout.write(`${output}\n${note === undefined ? '' : `${note}\n`}${passed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}
