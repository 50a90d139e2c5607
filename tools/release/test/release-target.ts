import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '@lintel/testkit';
import { type ProvidedBackends, provide } from '@lintel/testkit/backends';

const SCRIPT = fileURLToPath(new URL('../release.mjs', import.meta.url));
const run = promisify(execFile);

/** An OCI registry of this machine without a login, and a pair of keys that what is released is signed with. */
export interface ReleaseTarget {
  /** `host:port` of the registry. */
  readonly address: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Runs `npm run release` with the key. @returns the references that it has printed */
  release(...parameters: readonly string[]): Promise<readonly string[]>;
  /** Runs a command of cosign that verifies with a public key. @returns its output */
  verify(command: readonly string[], reference: string, key?: string): Promise<string>;
  close(): Promise<void>;
}

/** A public key whose private key has signed nothing. */
export const OTHER_KEY = 'other.pub';

/** @param environment further variables of the programs */
export async function openReleaseTarget(environment: Readonly<Record<string, string>> = {}): Promise<ReleaseTarget> {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-release-'));
  const programs = await provide({ helm: true, oci: true, cosign: true });
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  for (const name of ['helm', 'cosign'])
    symlinkSync(programs.environment[`LINTEL_TEST_${name.toUpperCase()}_PROGRAM`] ?? '', join(bin, name));
  const env = {
    ...process.env,
    COSIGN_PASSWORD: 'of-the-test',
    // Nothing of the user's own logins.
    DOCKER_CONFIG: folder,
    ...environment,
    PATH: `${bin}:${environment['PATH'] ?? process.env['PATH']}`,
  };
  for (const name of ['cosign', 'other'])
    await run('cosign', ['generate-key-pair', '--output-key-prefix', join(folder, name)], { env });
  const { address, stop } = await startRegistry(folder, programs);
  return {
    address,
    environment: env,
    async release(...parameters) {
      const { stdout } = await run(process.execPath, [SCRIPT, ...parameters, '--key', join(folder, 'cosign.key')], {
        env,
        maxBuffer: 64 * 1024 * 1024,
      });
      return stdout.trim().split('\n');
    },
    async verify(command, reference, key = 'cosign.pub') {
      const options = ['--key', join(folder, key), '--insecure-ignore-tlog', '--allow-http-registry'];
      return (await run('cosign', [...command, ...options, reference], { env, maxBuffer: 64 * 1024 * 1024 })).stdout;
    },
    async close() {
      await stop();
      await programs.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startRegistry(folder: string, programs: ProvidedBackends) {
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
