/**
 * `npm run test:cluster`: starts the API server of a Kubernetes, and gives it the chart and the overlays. It is built from
 * its sources, once. Where that cannot be, nothing is tested, and a sentence says why. Jest gets the parameters.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startHost } from '@lintel/testkit/host';
import { ROOT } from '../../bootstrap/paths.mjs';
import { runProgram } from '../../bootstrap/run-program.mjs';
import { runJest } from '../stages.mjs';

const SCRIPTS = join(ROOT, 'tools', 'test', 'cluster');
const NEEDED = ['go', 'etcd', 'ip', 'kubectl', 'openssl', 'unshare'];

/** The folder of the programs, made once for each state of the script; undefined with what Go says where it cannot be. */
async function findPrograms() {
  const { cacheFolder } = await import('@lintel/testkit/backends');
  const script = join(SCRIPTS, 'make-programs.sh');
  const hash = createHash('sha256').update(readFileSync(script)).digest('hex').slice(0, 12);
  const folder = join(cacheFolder(), 'cluster', hash);
  if (existsSync(join(folder, 'kube-apiserver'))) return { programs: folder };
  mkdirSync(folder, { recursive: true });
  const { code, output } = await runProgram('nice', ['-n', '5', 'sh', script, folder], { cwd: ROOT });
  return code === 0
    ? { programs: folder }
    : { reason: `Kubernetes cannot be built: ${output.trim().split('\n').at(-1)}` };
}

/** Sentence about things that this machine lacks for a cluster. */
function missingHere() {
  if (process.getuid() !== 0) return 'a cluster is started by root only';
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const missing = NEEDED.filter((name) => !folders.some((folder) => existsSync(join(folder, name))));
  return missing.length === 0 ? undefined : `a cluster needs ${missing.join(', ')}`;
}

/**
 * @param {{ parameters?: readonly string[], env?: Record<string, string | undefined> }} [options]
 * @returns {Promise<import('../stages.mjs').StageResult>}
 */
export async function testCluster({ parameters = [], env = process.env } = {}) {
  const skip = (reason) => ({ passed: 0, failed: 0, output: '', note: `skipped: ${reason}` });
  const missing = missingHere();
  if (missing !== undefined) return skip(missing);
  const { programs, reason } = await findPrograms();
  if (programs === undefined) return skip(reason);
  const host = await startHost(['helm', 'kustomize']);
  const folder = mkdtempSync(join(tmpdir(), 'lintel-cluster-'));
  try {
    // All processes end with the first one, and with them their network.
    const alone = ['unshare', '--net', '--pid', '--fork', '--mount-proc', '--kill-child'];
    const result = await runJest(['cluster'], {
      env: { ...env, ...host.environment },
      parameters: ['--runInBand', ...parameters],
      within: [...alone, 'sh', join(SCRIPTS, 'with-cluster.sh'), programs, folder],
    });
    const [note] = /The API server is ready after \d+ s/.exec(result.output) ?? [];
    return { ...result, ...(note !== undefined && { note }) };
  } finally {
    await host.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { passed, failed, output, note } = await testCluster({ parameters: process.argv.slice(2) });
  process.stdout.write(`${output}\n${note === undefined ? '' : `${note}\n`}${passed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}
