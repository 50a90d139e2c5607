import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const HOST = fileURLToPath(new URL('./backend-host.mjs', import.meta.url));

/**
 * Starts the process that holds the servers and waits until they are ready.
 *
 * @param {readonly string[]} backends of `postgres`, `redis`, `amqp`, `s3`
 * @returns {Promise<{ environment: Record<string, string>, origins: object[], missing: object[], stop(): Promise<void> }>}
 * @throws {Error} naming every server that cannot be had, and the remedy
 */
export async function startHost(backends) {
  const host = spawn(process.execPath, ['--conditions=lintel-source', HOST, ...backends], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // Options that are meant for jest's own process are not for this one.
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const gone = new Promise((resolve) => host.once('exit', resolve));
  const line = await new Promise((resolve, reject) => {
    createInterface({ input: host.stdout }).once('line', resolve);
    host.once('exit', (code) => reject(new Error(`The process that starts the test servers ended with code ${code}`)));
  });
  const { environment, origins, missing, error } = JSON.parse(line);
  const stop = async () => {
    host.stdin.end();
    await gone;
  };
  if (error !== undefined) {
    await stop();
    throw new Error(error);
  }
  return { environment, origins, missing, stop };
}
