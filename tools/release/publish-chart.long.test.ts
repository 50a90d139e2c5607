import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '@lintel/testkit';
import { type ProvidedBackends, provide } from '@lintel/testkit/backends';

const SCRIPT = fileURLToPath(new URL('publish-chart.mjs', import.meta.url));
const run = promisify(execFile);

let folder: string;
let programs: ProvidedBackends;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-oci-'));
  programs = await provide({ helm: true, oci: true });
});
afterAll(async () => {
  await programs?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('the chart is pushed to a registry, and found there by version and by the printed digest', async () => {
  const address = `127.0.0.1:${await freePort()}`;
  const config = join(folder, 'config.yml');
  const storage = { filesystem: { rootdirectory: join(folder, 'storage') } };
  writeFileSync(config, JSON.stringify({ version: '0.1', storage, http: { addr: address } }));
  const registry = spawn(programs.environment['LINTEL_TEST_REGISTRY_PROGRAM'] ?? '', ['serve', config], {
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => registry.once('close', resolve));
  try {
    const isReady = () => fetch(`http://${address}/v2/`).then(Boolean, () => false);
    while (registry.exitCode === null && !(await isReady())) await sleep(50);
    const helm = programs.environment['LINTEL_TEST_HELM_PROGRAM'] ?? '';
    const target = `oci://${address}/charts`;
    const { stdout } = await run(process.execPath, [SCRIPT, target, '--plain-http', '--helm', helm]);
    expect(stdout).toMatch(new RegExp(`^${address}/charts/lintel@sha256:[0-9a-f]{64}\n$`));
    const show = (chart: string) => run(helm, ['show', 'chart', chart, '--plain-http']);
    expect((await show(`oci://${stdout.trim()}`)).stdout).toContain('name: lintel');
  } finally {
    registry.kill();
    await ended;
  }
});
