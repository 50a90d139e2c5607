import { randomBytes } from 'node:crypto';
import { logIn } from '../servers/log-in.ts';
import type { SoakCount } from './run-soak.ts';

/** Sent at the same time. */
const PARALLEL = 4;
const FILE_BYTES = 2 ** 20;

/** About 2,000 orders of the data set. */
const PERIOD = [
  { name: 'from', value: '2024-01-01' },
  { name: 'to', value: '2024-01-31' },
];

const REPORTS = [
  { path: 'price-list', body: { template: 'DEFAULT' } },
  { path: 'price-list', body: { template: 'xlsx' } },
  { path: 'sales-by-customer', body: { template: 'DEFAULT', parameters: PERIOD } },
  { path: 'sales-by-customer', body: { template: 'csv', parameters: PERIOD } },
];

/** Logins, uploads and downloads, metadata, permissions, and reports as HTML, XLSX and CSV: several of each at once. */
export async function sendOtherRequests(url: string): Promise<SoakCount> {
  const tokens = await parallel(PARALLEL, () => logIn(url));
  const authorization = { Authorization: `Bearer ${tokens[0]}` };
  let [requests, failures] = [tokens.length, 0];
  const send = async (path: string, init: RequestInit & { headers?: Readonly<Record<string, string>> } = {}) => {
    const response = await fetch(`${url}${path}`, { ...init, headers: { ...authorization, ...init.headers } });
    const body = Buffer.from(await response.arrayBuffer());
    requests += 1;
    if (!response.ok) failures += 1;
    return body;
  };
  await parallel(PARALLEL, async () => {
    const content = randomBytes(FILE_BYTES);
    const stored = await send('/rest/files?name=soak.bin', { method: 'POST', body: content });
    const { fileRef } = JSON.parse(stored.toString()) as { readonly fileRef: string };
    const read = await send(`/rest/files?fileRef=${encodeURIComponent(fileRef)}`);
    if (!read.equals(content)) failures += 1;
  });
  await parallel(PARALLEL, () => send('/rest/metadata/entities'));
  await parallel(PARALLEL, () => send('/rest/permissions'));
  await Promise.all(
    REPORTS.map(({ path, body }) =>
      send(`/rest/reports/run/code/${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    ),
  );
  return { requests, failures };
}

const parallel = <T>(count: number, work: () => Promise<T>): Promise<readonly T[]> =>
  Promise.all(Array.from({ length: count }, work));
