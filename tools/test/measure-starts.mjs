/**
 * How long each service takes from nothing to ready, as its image starts it:
 *
 *     npm run build && node --conditions=lintel-source tools/test/measure-starts.mjs
 *
 * Collects what the image of each service holds, migrates a database of its own, and starts the services one after
 * the other, alone and without a compile cache. Prints seconds on the clock, seconds of processor time, which do not
 * depend on what else the machine does, and resident memory. Fails where a start takes 2 s of processor time.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, createTestVhost } from '@lintel/testkit';
import { startHost } from '@lintel/testkit/host';
import { askHealth } from '../../deploy/images/ask-health.mjs';
import { collectRuntime, imageContents } from '../../deploy/images/collect-runtime.mjs';
import { freePort } from './system.mjs';

const SERVICES = ['auth', 'data', 'files', 'reports', 'gateway'];
const LIMIT_SECONDS = 2;
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
      collectRuntime(join(folder, name), imageContents(name));
      symlinkSync(`services/${name}`, join(folder, name, 'service'));
    }
    await end(node(join(folder, 'data'), ['node_modules/@lintel/migrate/bin/lintel-migrate.mjs', 'run'], environment));
    console.log('service   clock (s)  processor (s)  memory (MB)');
    for (const name of SERVICES) {
      const begin = performance.now();
      const child = node(join(folder, name), ['service/dist/main.js'], environment);
      running.push(child);
      await whenReady(child, ports[name]);
      const clock = (performance.now() - begin) / 1000;
      const processor = processorSeconds(child.pid);
      slowest = Math.max(slowest, processor);
      console.log(
        `${name.padEnd(9)} ${clock.toFixed(2).padStart(9)}  ${processor.toFixed(2).padStart(13)}  ${residentMegabytes(child.pid).toFixed(0).padStart(11)}`,
      );
    }
  } finally {
    for (const child of running.reverse()) {
      child.kill('SIGTERM');
      await end(child);
    }
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

/** As the image does: its entry point, from its folder. */
const node = (cwd, parameters, env) =>
  spawn(process.execPath, ['--import', '@lintel/telemetry/register', ...parameters], {
    cwd,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });

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

const residentMegabytes = (pid) =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

await main();
