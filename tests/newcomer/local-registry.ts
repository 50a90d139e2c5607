import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const VERSION = '6.10.4';

/** A registry of npm on this machine. */
export interface LocalRegistry {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts verdaccio, which has the packages of Lintel for itself and requests all others from the registry of the
 * machine.
 *
 * @param folder of its files
 * @param upstream the registry of the machine
 */
export async function startLocalRegistry(folder: string, port: number, upstream: string): Promise<LocalRegistry> {
  const url = `http://127.0.0.1:${port}/`;
  const own = { access: '$all', publish: '$all', unpublish: '$all' };
  const config = {
    storage: join(folder, 'storage'),
    uplinks: { upstream: { url: upstream, timeout: '60s', maxage: '30m' } },
    packages: { '@lintel/*': own, 'create-lintel': own, '**': { access: '$all', proxy: 'upstream' } },
    max_body_size: '50mb',
    log: { type: 'stdout', format: 'pretty', level: 'warn' },
  };
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'config.yaml');
  writeFileSync(file, JSON.stringify(config));
  const program = join(await installVerdaccio(), 'node_modules', 'verdaccio', 'bin', 'verdaccio');
  const child = spawn(process.execPath, [program, '--config', file, '--listen', `127.0.0.1:${port}`], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += String(chunk);
    });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error(`verdaccio has ended:\n${output}`);
    await sleep(100);
  }
  return {
    url,
    async close() {
      child.kill();
      await ended;
    },
  };
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}-/ping`).then(
    ({ ok }) => ok,
    () => false,
  );

/** Installs it once for the user, outside of the repository: only this test uses it. */
async function installVerdaccio(): Promise<string> {
  const cache =
    process.env['LINTEL_CACHE'] || join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'lintel');
  const folder = join(cache, `verdaccio-${VERSION}`);
  if (existsSync(join(folder, 'node_modules', 'verdaccio'))) return folder;
  mkdirSync(folder, { recursive: true });
  // It asks for a version by a tag that not every mirror carries.
  const description = { private: true, dependencies: { verdaccio: VERSION }, overrides: { 'node-fetch': '2.7.0' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(description));
  await promisify(execFile)('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
  return folder;
}
