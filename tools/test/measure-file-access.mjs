/**
 * What the check of a download costs with `svc.files.access=references` (docs/guide/files.md#access):
 *
 *     npm run build && node --conditions=lintel-source tools/test/measure-file-access.mjs [rows, 1000000 by default]
 *
 * Starts the five processes twice, with and without the check, with rows that refer to files, and downloads files one
 * after the other, as a user who has not uploaded them. Fails where the 95th percentile rises by more than 5 ms.
 */
import { startHost } from '@lintel/testkit/host';
import { startServices } from './services-system.mjs';

const ROWS = Number(process.argv[2] ?? 1_000_000);
const FILES = 1_000;
const WARM_UP = 100;
const LIMIT_MS = 5;

async function main() {
  const host = await startHost(['postgres', 'redis', 'amqp', 's3']);
  Object.assign(process.env, host.environment);
  const systems = [];
  try {
    for (const access of ['reference', 'references']) systems.push(await prepared(host, access));
    // In turns, so that both share what else the machine does.
    for (let at = 0; at < FILES; at += 1)
      for (const { refs, url, token, times } of at % 2 === 0 ? systems : systems.toReversed())
        times.push(await download(url, refs[at], token));
    const [without, checked] = systems.map(({ access, times }) => {
      const sorted = times.slice(WARM_UP).sort((one, other) => one - other);
      const [p50, p95] = [0.5, 0.95].map((part) => sorted[Math.floor(sorted.length * part)]);
      console.log(
        `${access}: p50 ${p50.toFixed(2)} ms, p95 ${p95.toFixed(2)} ms; ${sorted.length} files, ${ROWS} rows`,
      );
      return p95;
    });
    console.log(`p95 rises by ${(checked - without).toFixed(2)} ms`);
    process.exitCode = checked - without > LIMIT_MS ? 1 : 0;
  } finally {
    for (const { stop } of systems) await stop();
    await host.stop();
  }
}

async function prepared(host, access) {
  const system = await startServices(host.environment, { SVC_LOG_LEVEL: 'warn', SVC_FILES_ACCESS: access });
  const refs = await upload(system.url);
  await fill(system.query, refs);
  return { ...system, access, refs, token: await tokenOf(system.url, 'manager'), times: [] };
}

async function tokenOf(url, user) {
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('client:secret')}` },
    body: new URLSearchParams({ grant_type: 'password', username: user, password: user }),
  });
  return (await response.json()).access_token;
}

async function upload(url) {
  const authorization = `Bearer ${await tokenOf(url, 'admin')}`;
  const refs = [];
  for (let at = 0; at < FILES; at += 1) {
    const response = await fetch(`${url}/rest/files?name=${at}.txt`, {
      method: 'POST',
      headers: { authorization },
      body: `file ${at}`,
    });
    refs.push((await response.json()).fileRef);
  }
  return refs;
}

/** Rows with references; some of them are to the uploaded files. */
async function fill(query, refs) {
  const insert = (references) => `INSERT INTO sales."order" (id, version, number, date, status, customer_id, attachment)
     SELECT gen_random_uuid(), 1, left(md5(n || ref), 20), '2026-11-28', 10,
       (SELECT id FROM sales.customer ORDER BY id LIMIT 1), ref FROM ${references}`;
  const others = `(SELECT n, 'fs://2026/11/28/' || gen_random_uuid() || '.txt?name=a.txt' AS ref FROM generate_series(1, $1::int) n) f`;
  await query(insert(others), [ROWS - refs.length]);
  await query(insert('unnest($1::text[]) WITH ORDINALITY AS f (ref, n)'), [refs]);
  await query('ANALYZE sales."order"');
}

async function download(url, fileRef, token) {
  const begin = performance.now();
  const response = await fetch(`${url}/rest/files?${new URLSearchParams({ fileRef })}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${fileRef}: ${response.status}`);
  return performance.now() - begin;
}

await main();
