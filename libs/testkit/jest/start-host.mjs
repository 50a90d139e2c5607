import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const HOST = fileURLToPath(new URL('./backend-host.mjs', import.meta.url));

/**
 * @typedef {{ environment: Record<string, string>, origins: object[], missing: object[] }} ReadyBackends
 * @typedef {import('@lintel/testkit/backends').HostMessage} HostMessage
 */

/**
 * Starts the process that holds the servers; each is there as soon as it can be.
 *
 * @param {readonly string[]} backends of `BACKENDS`
 * @param {(message: HostMessage) => void} [onResult] called for each backend
 * @returns {{ ready(names: readonly string[]): Promise<ReadyBackends>, settled: Promise<void>, stop(): Promise<void> }}
 *   `ready` fails with an error that names those of its backends that cannot be had, and the remedy; `settled` never fails
 */
export function openHost(backends, onResult = () => undefined) {
  const host = spawn(process.execPath, ['--conditions=lintel-source', HOST, ...backends], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // Options that are meant for jest's own process are not for this one.
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const results = new Map(backends.map((backend) => [backend, Promise.withResolvers()]));
  createInterface({ input: host.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    onResult(message);
    results.get(message.backend)?.resolve(message);
  });
  const gone = new Promise((resolve) => host.once('close', resolve));
  host.once('close', (code) => {
    for (const [backend, result] of results)
      result.resolve({
        backend,
        environment: {},
        error: `The process that starts the test servers ended with code ${code} before it had ${backend}`,
      });
  });
  const messagesOf = (names) => Promise.all(names.map((name) => results.get(name)?.promise));
  return {
    async ready(names) {
      const messages = await messagesOf(names);
      const problems = messages.filter(({ error }) => error !== undefined);
      if (problems.length > 0) throw new Error(problems.map(({ error }) => error).join('\n'));
      const isThere = ({ missing }) => missing === undefined;
      return {
        environment: Object.assign({}, ...messages.map(({ environment }) => environment)),
        origins: messages.filter(isThere).map(({ backend, origin, seconds }) => ({ backend, origin, seconds })),
        missing: messages
          .filter((message) => !isThere(message))
          .map(({ backend, missing }) => ({ backend, reason: missing })),
      };
    },
    settled: messagesOf(backends).then(() => undefined),
    async stop() {
      host.stdin.end();
      await gone;
    },
  };
}

/**
 * The same for those who need all of them.
 *
 * @param {readonly string[]} backends of `BACKENDS`
 * @returns {Promise<ReadyBackends & { stop(): Promise<void> }>}
 * @throws {Error} naming every server that cannot be had, and the remedy
 */
export async function startHost(backends) {
  const host = openHost(backends);
  try {
    return { ...(await host.ready(backends)), stop: host.stop };
  } catch (error) {
    await host.stop();
    throw error;
  }
}
