import { fc, SEED } from '@lintel/testkit/properties';
import { as, query, responseCheck, tokenOf } from '../api.ts';
import { closeRaw, type RawResponse, sendRaw } from '../send-raw.ts';
import { randomRequests } from './random-requests.ts';
import type { RandomRequest } from './request-parts.ts';

/** The same seed makes the same requests; `LINTEL_FUZZ_REQUESTS=10000` makes more of them. */
const REQUESTS = Number(process.env['LINTEL_FUZZ_REQUESTS'] ?? 1_500);
const AT_ONCE = 8;

afterAll(closeRaw);

/** Cursors of good responses. */
async function goodCursors(): Promise<readonly string[]> {
  const pages = [{ sort: '-date,number', limit: '2' }, { limit: '2' }, { sort: 'customer.name', limit: '3' }];
  const responses = await Promise.all(pages.map((page) => as('admin', 'GET', `/entities/sales_Order${query(page)}`)));
  return responses.map(({ headers }) => {
    const cursor = /[?&]cursor=([^&>]+)/.exec(headers.get('link') ?? '')?.[1];
    if (cursor === undefined) throw new Error(`There is no next page: ${headers.get('link')}`);
    return decodeURIComponent(cursor);
  });
}

const isErrorBody = (text: string): boolean => {
  const body: unknown = JSON.parse(text);
  return (
    typeof body === 'object' &&
    body !== null &&
    Object.keys(body).sort().join() === 'details,error' &&
    Object.values(body).every((member) => typeof member === 'string')
  );
};

/** What is wrong with a response; nothing when nothing is. */
function wrong({ method, target }: RandomRequest, { status, headers, text }: RawResponse): string | undefined {
  if (status >= 500) return `status ${status}`;
  if (headers['x-trace-id'] === undefined) return `status ${status} without a trace id`;
  if (/node_modules|\bat .*\.ts:\d+/.test(text)) return 'a response that reveals code';
  if (text.includes('Margin class') || text.includes('$argon2')) return 'a secret value';
  if (method === 'HEAD' || status === 304 || status === 204)
    return text === '' ? undefined : 'a body where none belongs';
  // A missing instance has no body (contract/decisions.md#1).
  if (status === 404 && text === '' && /^\/rest\/(?:entities\/[^/]+\/.|files)/.test(target)) return undefined;
  if (method === 'OPTIONS' && status === 200) return headers['allow'] === undefined ? 'no Allow' : undefined;
  // Scalar results of services, the version, and the API document in YAML are texts.
  if (status === 200 && !String(headers['content-type']).startsWith('application/json'))
    return headers['content-type'] === undefined ? 'no content type' : undefined;
  try {
    if (status < 400) JSON.parse(text);
    else if (!isErrorBody(text)) return `status ${status} without {error, details}`;
  } catch {
    return `status ${status} without JSON`;
  }
  return undefined;
}

/** Sends the requests, some at once; returns what was wrong and how often each status came. */
async function sendAll(requests: readonly RandomRequest[]) {
  const statuses = new Map<number, number>();
  const failures: unknown[] = [];
  const problemOf = await responseCheck();
  const left = requests.values();
  const work = async (): Promise<void> => {
    for (const request of left) {
      const authorization = `Bearer ${await tokenOf(request.user)}`;
      const sent = { ...request, headers: { ...request.headers, authorization } };
      const response = await sendRaw(sent).catch((error: unknown) => `no response: ${String(error)}`);
      if (typeof response === 'string') {
        failures.push([response, request]);
        continue;
      }
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      const contentType = String(response.headers['content-type'] ?? '');
      const what = wrong(request, response) ?? problemOf(request.method, request.target, { ...response, contentType });
      if (what !== undefined) failures.push([what, request, response.text.slice(0, 500)]);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { statuses, failures };
}

// Asserts contract/conventions.md#general-rules.
test(`${REQUESTS} random requests (LINTEL_PROPERTY_SEED=${SEED}): no 500, no silence, every refusal has its form`, async () => {
  const requests = fc.sample(randomRequests(await goodCursors()), REQUESTS);
  const { statuses, failures } = await sendAll(requests);
  if (process.env['LINTEL_FUZZ_REQUESTS'] !== undefined) console.info(Object.fromEntries(statuses));
  expect(failures).toEqual([]);
  // Requests that are all refused would prove little.
  expect(statuses.get(200) ?? 0).toBeGreaterThan(REQUESTS / 10);
  expect(statuses.get(400) ?? 0).toBeGreaterThan(REQUESTS / 10);
  expect((await as('admin', 'GET', '/userInfo')).status).toBe(200);
}, 1_200_000);
