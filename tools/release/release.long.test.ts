import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '@lintel/testkit';
import { type ProvidedBackends, provide } from '@lintel/testkit/backends';

const SCRIPT = fileURLToPath(new URL('release.mjs', import.meta.url));
const run = promisify(execFile);

let folder: string;
let programs: ProvidedBackends;
let environment: Readonly<Record<string, string | undefined>>;
let address: string;
let stopRegistry: () => Promise<void>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-release-'));
  programs = await provide({ helm: true, oci: true, cosign: true });
  mkdirSync(join(folder, 'bin'));
  for (const name of ['helm', 'cosign'])
    symlinkSync(programs.environment[`LINTEL_TEST_${name.toUpperCase()}_PROGRAM`] ?? '', join(folder, 'bin', name));
  environment = {
    ...process.env,
    PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
    COSIGN_PASSWORD: 'of-the-test',
    // Nothing of the user's own logins.
    DOCKER_CONFIG: folder,
  };
  await run('cosign', ['generate-key-pair', '--output-key-prefix', join(folder, 'cosign')], { env: environment });
  ({ address, stop: stopRegistry } = await startRegistry());
}, 600_000);
afterAll(async () => {
  await stopRegistry?.();
  await programs?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function startRegistry() {
  const address = `127.0.0.1:${await freePort()}`;
  const config = join(folder, 'config.yml');
  const storage = { filesystem: { rootdirectory: join(folder, 'storage') } };
  writeFileSync(config, JSON.stringify({ version: '0.1', storage, http: { addr: address } }));
  const program = programs.environment['LINTEL_TEST_REGISTRY_PROGRAM'] ?? '';
  const registry = spawn(program, ['serve', config], { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => registry.once('close', () => resolve()));
  const isReady = () => fetch(`http://${address}/v2/`).then(Boolean, () => false);
  while (registry.exitCode === null && !(await isReady())) await sleep(50);
  return {
    address,
    async stop() {
      registry.kill();
      await ended;
    },
  };
}

const verify = (reference: string, key = 'cosign.pub') =>
  run('cosign', ['verify', '--key', join(folder, key), '--insecure-ignore-tlog', '--allow-http-registry', reference], {
    env: environment,
  });

test('the chart is pushed to a registry, found there by version and by the printed digest, and signed', async () => {
  const parameters = [SCRIPT, '--charts', `${address}/charts`, '--key', join(folder, 'cosign.key')];
  const { stdout } = await run(process.execPath, parameters, { env: environment });
  const chart = stdout.trim();
  expect(chart).toMatch(new RegExp(`^${address}/charts/lintel@sha256:[0-9a-f]{64}$`));
  const show = await run('helm', ['show', 'chart', `oci://${chart}`, '--plain-http'], { env: environment });
  expect(show.stdout).toContain('name: lintel');
  expect(JSON.parse((await verify(chart)).stdout)).toMatchObject([{ critical: { image: expect.anything() } }]);
  await run('cosign', ['generate-key-pair', '--output-key-prefix', join(folder, 'other')], { env: environment });
  await expect(verify(chart, 'other.pub')).rejects.toThrow('signature');
});
