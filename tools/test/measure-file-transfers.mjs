/**
 * How much memory the files service and the gateway take while a large file is sent through them:
 *
 *     npm run build && node --conditions=lintel-source tools/test/measure-file-transfers.mjs [GiB, 5 by default]
 *
 * Starts the five processes on servers of their own, uploads and downloads with both kinds of storage, and
 * prints the greatest resident memory of each step. Fails where a file comes back changed, or where the files
 * service takes more than 150 MB.
 */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startHost } from '@lintel/testkit/host';
import { startServices } from './services-system.mjs';

const MEBIBYTE = 1024 * 1024;
const LIMIT_MB = 150;
/** Random, so that nothing on the way can make it smaller; prime, so that no part ends with it. */
const PATTERN = randomBytes(1_048_573);

const gibibytes = Number(process.argv[2] ?? 5);
const bytes = Math.round(gibibytes * 1024 * MEBIBYTE);
const FORMS = (process.argv[3] ?? 'with its length,chunked,multipart').split(',');
const failures = [];

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-transfers-'));
  const host = await startHost(['postgres', 'redis', 'amqp', 's3']);
  Object.assign(process.env, host.environment);
  try {
    const system = await startServices(host.environment, {
      SVC_LOG_LEVEL: 'warn',
      SVC_REST_MAX_FILE_SIZE: '100GB',
      SVC_CORE_DEFAULT_FILE_STORAGE: 'fs',
      SVC_FILES_STORAGE_DISK_KIND: 'folder',
      SVC_FILES_STORAGE_DISK_PATH: folder,
    });
    try {
      await measure(system);
    } finally {
      failures.push(...[await system.stop()].filter(Boolean));
    }
  } finally {
    await host.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  for (const failure of failures) console.error(failure);
  process.exitCode = failures.length > 0 ? 1 : 0;
}

async function measure(system) {
  const processes = {
    files: childOf(system.pid, 'services/files/'),
    gateway: childOf(system.pid, 'services/gateway/'),
  };
  console.log(`${gibibytes} GiB per transfer; greatest resident memory in MB`);
  await step('after the start', processes, async () => {});
  for (const [storage, query] of [
    ['S3', ''],
    ['folder', '&storageName=disk'],
  ]) {
    for (const form of FORMS) {
      let file;
      await step(`${storage}: upload ${form}`, processes, async () => {
        file = await upload(system.url, query, form);
      });
      if (form !== 'with its length') continue;
      await step(`${storage}: download`, processes, () => download(system.url, file));
    }
  }
}

async function step(title, processes, work) {
  for (const pid of Object.values(processes)) writeFileSync(`/proc/${pid}/clear_refs`, '5');
  const begin = performance.now();
  await work();
  const seconds = (performance.now() - begin) / 1000;
  const peaks = Object.entries(processes).map(([name, pid]) => [name, peakOf(pid)]);
  const shown = peaks.map(([name, peak]) => `${name} ${peak.toFixed(0)}`).join(', ');
  console.log(`  ${title.padEnd(32)} ${shown}   ${(bytes / MEBIBYTE / seconds).toFixed(0)} MiB/s`);
  const [, files] = peaks[0];
  if (files > LIMIT_MB) failures.push(`${title}: the files service took ${files.toFixed(0)} MB`);
}

/** A transfer gets a token of its own: what was before it may have taken long. */
async function tokenOf(url) {
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from('client:secret').toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'password', username: 'manager', password: 'manager' }),
  });
  return (await response.json()).access_token;
}

async function send(url, path, options) {
  const headers = { authorization: `Bearer ${await tokenOf(url)}`, ...options.headers };
  const sent = request(`${url}/rest/files?${path}`, { method: options.method, headers, agent: false });
  const received = once(sent, 'response');
  received.catch(() => {});
  for await (const chunk of options.body ?? [])
    if (!sent.write(chunk)) await Promise.race([once(sent, 'drain'), received]);
  sent.end();
  const [response] = await received;
  return response;
}

async function upload(url, query, form) {
  const hash = createHash('sha256');
  const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="large.bin"\r\n\r\n';
  const tail = '\r\n--b--\r\n';
  const isForm = form === 'multipart';
  async function* body() {
    if (isForm) yield head;
    for (let left = bytes; left > 0; left -= PATTERN.length) {
      const chunk = PATTERN.subarray(0, Math.min(left, PATTERN.length));
      hash.update(chunk);
      yield chunk;
    }
    if (isForm) yield tail;
  }
  const length = isForm ? bytes + head.length + tail.length : bytes;
  const response = await send(url, `name=large.bin${query}`, {
    method: 'POST',
    headers: {
      'content-type': isForm ? 'multipart/form-data; boundary=b' : 'application/octet-stream',
      ...(form === 'chunked' ? { 'transfer-encoding': 'chunked' } : { 'content-length': length }),
    },
    body: body(),
  });
  const text = (await response.toArray()).join('');
  if (response.statusCode !== 201) throw new Error(`The upload returned ${response.statusCode}: ${text}`);
  const { fileRef, size } = JSON.parse(text);
  if (size !== bytes) failures.push(`The upload of ${bytes} bytes was counted as ${size}`);
  return { fileRef, sha256: hash.digest('hex') };
}

async function download(url, { fileRef, sha256 }) {
  const response = await send(url, new URLSearchParams({ fileRef }), { method: 'GET' });
  const hash = createHash('sha256');
  for await (const chunk of response) hash.update(chunk);
  if (response.statusCode !== 200 || hash.digest('hex') !== sha256) failures.push('The file came back changed');
}

function childOf(parent, entry) {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) !== parent) continue;
      if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(entry)) return Number(pid);
    } catch {
      // A process that has ended meanwhile.
    }
  }
  throw new Error(`No process of ${entry} below ${parent}`);
}

/** Megabytes, since the last reset. */
function peakOf(pid) {
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (Number(kibibytes) * 1024) / 1_000_000;
}

await main();
