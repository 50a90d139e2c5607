import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findCompose, openEngines } from './container-engines.mjs';

const { PATH } = process.env;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-engines-'));
  process.env['PATH'] = folder;
});
afterEach(() => {
  process.env['PATH'] = PATH;
  rmSync(folder, { recursive: true });
});

/** A program that prints a text for each first parameter, and fails for others. */
function write(name: string, outputs: Readonly<Record<string, string>>): void {
  const cases = Object.entries(outputs).map(([parameter, output]) => `"${parameter}") echo "${output}" ;;`);
  writeFileSync(join(folder, name), `#!/bin/sh\ncase "$1" in\n${cases.join('\n')}\n*) exit 1 ;;\nesac\n`, {
    mode: 0o755,
  });
}

test('a machine without engines has a sentence for each', async () => {
  const { engines, missing, stop } = await openEngines(folder);
  await stop();
  expect([engines, missing]).toEqual([[], ['Docker is not installed', 'Podman is not installed']]);
});

test('a Docker whose daemon does not respond, and which has no program of it, is not used', async () => {
  write('docker', { version: '20.10' });
  const { engines, missing } = await openEngines(folder);
  expect(engines).toEqual([]);
  expect(missing[0]).toBe('No Docker daemon responds, and none can be started: it needs dockerd, and root');
});

test('a Docker daemon that responds builds with BuildKit and without', async () => {
  write('docker', { info: '20.10', version: '20.10' });
  const { engines, missing } = await openEngines(folder);
  expect(missing).toEqual(['Podman is not installed']);
  expect(engines.map(({ name, env }) => [name, env['DOCKER_BUILDKIT']])).toEqual([
    ['Docker with BuildKit 20.10', '1'],
    ['Docker without BuildKit 20.10', '0'],
  ]);
});

test('Compose is the installed one from version 2 on', async () => {
  write('docker', { info: '20.10', version: '20.10', compose: 'v2.30.1' });
  const [engine] = (await openEngines(folder)).engines;
  if (engine === undefined) throw new Error('There is no engine');
  expect(await findCompose(engine, folder)).toEqual([join(folder, 'docker'), 'compose']);
  write('docker', { version: '20.10' });
  write('docker-compose', { version: '1.29.2' });
  // It would be built from its sources, for which there is no Go.
  expect(await findCompose(engine, folder)).toBeUndefined();
  write('docker-compose', { version: '2.40.3' });
  expect(await findCompose(engine, folder)).toEqual([join(folder, 'docker-compose')]);
});
