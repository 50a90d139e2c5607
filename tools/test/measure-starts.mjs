/**
 * How long each service takes from nothing to ready, as its image starts it:
 *
 *     npm run build && node --conditions=lintel-source tools/test/measure-starts.mjs
 *
 * Makes what the image of each service holds, migrates a database of its own, and starts the services one after the
 * other, each several times and alone. Prints medians: seconds on the clock; seconds of processor time, which depend
 * less on what else the machine does; resident memory. Fails where a start takes 1 s of processor time.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, createTestVhost } from '@lintel/testkit';
import { startHost } from '@lintel/testkit/host';
import { askHealth } from '../../deploy/images/ask-health.mjs';
import { compileAhead, optionsToCompileFor } from '../../deploy/images/compile-ahead.mjs';
import { makeRuntime } from '../../deploy/images/make-runtime.mjs';
import { freePort } from './system.mjs';

const SERVICES = ['auth', 'data', 'files', 'reports', 'gateway'];
const ROUNDS = 5;
const LIMIT_SECONDS = 1;
const REGISTER = ['--import', '@lintel/telemetry/register'];
const TICKS_PER_SECOND = 100;
const TOKEN_PATTERN = /^\d+ \(.*\) /;

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-starts-'));
  const host = await startHost(['postgres', 'redis', 'amqp', 's3']);
  Object.assign(process.env, host.environment);
  const database = await createTestDatabase('starts');
  const vhost = await createTestVhost('starts');
  const ports = Object.fromEntries(
    await Promise.all(
      SERVICES.flatMap((name) => [name, `${name}-internal`, `${name}-management`]).map(async (name) => [
        name,
        await freePort(),
      ]),
    ),
  );
  const environment = environmentFor(host.environment, database.url, vhost.url, ports);
  const running = [];
  let slowest = 0;
  try {
    for (const name of SERVICES) {
      await makeRuntime(join(folder, name), name);
      compileAhead(name, join(folder, name, 'compile-cache'), join(folder, name));
    }
    const inImage = (name, parameters) =>
      node(join(folder, name), [...(optionsToCompileFor(name).at(-1) ?? []), ...REGISTER, ...parameters], environment);
    await end(inImage('data', ['node_modules/@lintel/migrate/bin/lintel-migrate.mjs', 'run']));
    console.log('service   clock (s)  processor (s)  memory (MB)');
    for (const name of SERVICES) {
      const starts = [];
      for (let round = 1; round <= ROUNDS; round += 1) {
        const begin = performance.now();
        const child = inImage(name, ['service/dist/main.js']);
        running.push(child);
        await whenReady(child, ports[name]);
        starts.push([(performance.now() - begin) / 1000, processorSeconds(child.pid), residentMegabytes(child.pid)]);
        // The last one stays: the others need it.
        if (round < ROUNDS) await stop(running.pop());
      }
      const [clock, processor, memory] = [0, 1, 2].map((figure) => medianOf(starts.map((start) => start[figure])));
      slowest = Math.max(slowest, processor);
      console.log(
        `${name.padEnd(9)} ${clock.toFixed(2).padStart(9)}  ${processor.toFixed(2).padStart(13)}  ${memory.toFixed(0).padStart(11)}`,
      );
    }
  } finally {
    for (const child of running.reverse()) await stop(child);
    await database.drop();
    await vhost.drop();
    await host.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  if (slowest >= LIMIT_SECONDS)
    throw new Error(`A start takes ${slowest} s of processor time, ${LIMIT_SECONDS} s are allowed`);
}

function environmentFor(servers, databaseUrl, brokerUrl, ports) {
  const at = (name) => `http://127.0.0.1:${ports[name]}`;
  return {
    PATH: process.env.PATH,
    // From the working folder, which is that of the image.
    NODE_COMPILE_CACHE: 'compile-cache',
    NODE_ENV: 'production',
    SVC_DATASOURCE_URL: databaseUrl,
    SVC_DATASOURCE_MIGRATE: 'false',
    SVC_REDIS_URL: servers.LINTEL_TEST_REDIS_URL,
    SVC_REDIS_KEY_PREFIX: `starts-${randomBytes(4).toString('hex')}:`,
    SVC_BROKER_URLS: brokerUrl,
    SVC_FILES_STORAGE_FS_KIND: 's3',
    SVC_FILES_STORAGE_FS_BUCKET: `starts-${randomBytes(4).toString('hex')}`,
    SVC_FILES_STORAGE_FS_ENDPOINT_URL: servers.LINTEL_TEST_S3_URL,
    SVC_FILES_STORAGE_FS_ACCESS_KEY: servers.LINTEL_TEST_S3_ACCESS_KEY,
    SVC_FILES_STORAGE_FS_SECRET_KEY: servers.LINTEL_TEST_S3_SECRET_KEY,
    SVC_INTERNAL_SECRET: randomBytes(32).toString('hex'),
    SVC_AUTHSERVER_KEY_ENCRYPTION_SECRET: randomBytes(32).toString('hex'),
    SVC_AUTHSERVER_JWKS_URL: `${at('auth')}/oauth2/jwks`,
    SVC_AUTHSERVER_INTERNAL_URL: at('auth-internal'),
    SVC_DATA_INTERNAL_URL: at('data-internal'),
    SVC_FILES_INTERNAL_URL: at('files-internal'),
    SVC_SHUTDOWN_DELAY: '0s',
    ...Object.fromEntries(
      ['auth', 'data', 'files', 'reports'].map((name) => [`SVC_GATEWAY_${name.toUpperCase()}_URL`, at(name)]),
    ),
    ...Object.fromEntries(
      SERVICES.flatMap((name) => [
        [`SVC_${name.toUpperCase()}_PORT`, String(ports[name])],
        [`SVC_${name.toUpperCase()}_MANAGEMENT_PORT`, String(ports[`${name}-management`])],
      ]),
    ),
    ...Object.fromEntries(
      ['auth', 'data', 'files'].map((name) => [
        `SVC_${name.toUpperCase()}_INTERNAL_PORT`,
        String(ports[`${name}-internal`]),
      ]),
    ),
  };
}

const node = (cwd, parameters, env) =>
  spawn(process.execPath, parameters, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] });

async function stop(child) {
  child.kill('SIGTERM');
  await end(child);
}

async function end(child) {
  if (child.exitCode === null && child.signalCode === null) await new Promise((resolve) => child.once('exit', resolve));
  if (child.exitCode !== 0)
    throw new Error(`${child.spawnargs.at(-1)} ended with ${child.exitCode ?? child.signalCode}`);
}

async function whenReady(child, port) {
  while (child.exitCode === null) {
    const answer = await askHealth(`http://127.0.0.1:${port}`, 1_000).catch(() => undefined);
    if (answer?.status === 200) return;
    await sleep(10);
  }
  throw new Error(`it ended with code ${child.exitCode}`);
}

/** User and system time; the fields after the name of the program, see proc(5). */
function processorSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(TOKEN_PATTERN, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

const medianOf = (figures) => figures.toSorted((left, right) => left - right)[Math.floor(figures.length / 2)];

const residentMegabytes = (pid) =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

await main();
