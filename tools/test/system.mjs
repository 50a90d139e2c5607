import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MEMORY_ENVIRONMENT, STANDALONE_OPTIONS } from '../bootstrap/memory-environment.mjs';
import { ROOT } from '../bootstrap/paths.mjs';

const START_TIMEOUT_MS = 180_000;
const STOP_TIMEOUT_MS = 40_000;

/**
 * What no log line may show: tokens, passwords of the demo, and the values that the tests of access hide (their
 * names begin so, see `tests/contract/access/hidden-data.ts`).
 */
const NEVER_LOGGED = /eyJ[\w-]{10,}\.[\w-]{10,}|access_token=|\bhid-[a-z0-9]+-[a-z0-9]+|"password":"/;

export const FOR_TESTS = {
  // On a busy machine the gateway would refuse requests as overloaded, and pages would show the refusal.
  SVC_GATEWAY_MAX_EVENT_LOOP_DELAY: '10s',
  // To receivers of the tests.
  SVC_WEBHOOKS_ENABLED: 'true',
  SVC_WEBHOOKS_ALLOW_INSECURE_HTTP: 'true',
  SVC_WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.0/8',
  SVC_WEBHOOKS_RETRY_DELAY: '200ms',
};

/** A port without a listener that is not assigned by chance before it is used. Chosen when everything is built. */
export async function freePort() {
  const { freeLoopbackPort } = await import('@lintel/embedded-database');
  return freeLoopbackPort();
}

/** The programs that the test run has found, for the reports of the system. */
const programsOf = ({ LINTEL_TEST_CHROMIUM_PROGRAM, LINTEL_TEST_OFFICE_PROGRAM }) => ({
  ...(LINTEL_TEST_CHROMIUM_PROGRAM && { SVC_REPORTS_CHROMIUM_PATH: LINTEL_TEST_CHROMIUM_PROGRAM }),
  ...(LINTEL_TEST_OFFICE_PROGRAM && { SVC_REPORTS_OFFICE_PATH: LINTEL_TEST_OFFICE_PROGRAM }),
});

/**
 * Starts a mode of the system and waits for its line `ready …`.
 *
 * @param {{ entry: string, options?: readonly string[], env: Record<string, string>, url: string }} options
 * @returns {Promise<{ url: string, pid: number, seconds: number, log: string, stop(): Promise<string | undefined> }>}
 *   `log` is a file with the log so far; `stop` removes it, and resolves with the error, if there was one
 */
export async function startSystem({ entry, options = [], env, url }) {
  const begin = Date.now();
  const child = spawn(process.execPath, [...options, join(ROOT, entry)], {
    cwd: ROOT,
    env: {
      ...MEMORY_ENVIRONMENT,
      ...process.env,
      ...programsOf(process.env),
      LINTEL_STARTED_AT: String(begin),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const folder = mkdtempSync(join(tmpdir(), 'lintel-log-'));
  const log = join(folder, 'log');
  child.stdout.pipe(createWriteStream(log));
  let output = '';
  let rest = '';
  let leak;
  const ended = new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
  const ready = new Promise((resolve) => {
    const collect = (chunk) => {
      output = (output + String(chunk)).slice(-200_000);
      rest += String(chunk);
      leak ??= NEVER_LOGGED.exec(rest)?.[0];
      rest = rest.slice(-200);
      if (/^ready\b/m.test(output)) resolve('ready');
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
  });
  let timer;
  const timeout = new Promise((resolve) => {
    timer = setTimeout(resolve, START_TIMEOUT_MS, 'timeout');
  });
  const outcome = await Promise.race([ready, ended, timeout]);
  clearTimeout(timer);
  if (outcome !== 'ready') {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
    // Once more at the end: of a long text, often only the end is kept.
    const causes = output
      .split('\n')
      .filter((line) => /"level":"(error|fatal)"|stopping the others|EADDRINUSE/.test(line));
    throw new Error(`${entry} did not become ready:\n${output}\nErrors:\n${causes.join('\n')}`);
  }
  return {
    url,
    pid: child.pid,
    seconds: (Date.now() - begin) / 1000,
    log,
    async stop() {
      child.kill('SIGTERM');
      const kill = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      const { code, signal } = await ended;
      clearTimeout(kill);
      rmSync(folder, { recursive: true, force: true });
      if (leak !== undefined) return `${entry} wrote to its log what nobody may read there: ${leak.slice(0, 60)}`;
      if (code === 0) return undefined;
      return `${entry} ended with ${signal ?? `code ${code}`} when it was asked to stop:\n${output.slice(-5000)}`;
    },
  };
}

/**
 * The standalone mode in a folder of its own, gone with it.
 *
 * @param {Record<string, string>} [more] further variables; they win
 */
export async function startStandalone(more = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-standalone-'));
  // The database runs as a user of its own, who must be able to get here.
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  const { chmodSync } = await import('node:fs');
  chmodSync(folder, 0o755);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const env = { LINTEL_HOME: home, PORT: String(port), SVC_LOG_LEVEL: 'debug', ...more };
  try {
    const system = await startSystem({
      entry: 'deploy/standalone/dist/main.js',
      options: STANDALONE_OPTIONS,
      env,
      url,
    });
    return {
      ...system,
      home,
      async stop() {
        const problem = await system.stop();
        rmSync(folder, { recursive: true, force: true });
        return problem;
      },
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}
