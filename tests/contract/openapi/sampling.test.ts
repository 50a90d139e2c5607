import { fc, SEED } from '@lintel/testkit/properties';
import { as, type Response } from '../api.ts';
import type { OpenApi } from './read-document.ts';
import { createInstances, operationsOf } from './sampling/operations.ts';
import { createRequestCheck } from './sampling/request-check.ts';
import { requestsOf, type SampledOperation, type SampledRequest } from './sampling/sampled-requests.ts';

// What the document allows is not refused for its form, and what it excludes is refused. Bodies and parameters are
// generated from the schemas of the document; a validator of JSON Schema decides on which side they are.

/** Requests of each operation; the same seed makes the same requests. */
const REQUESTS = Number(
  process.env['LINTEL_SAMPLED_REQUESTS'] ?? (process.env['LINTEL_TEST_LONG'] === 'true' ? 100 : 6),
);
const AT_ONCE = 4;

const document: OpenApi = (await as('admin', 'GET', '/docs/openapiDetailed.json')).json();
const check = createRequestCheck(document);
const created: string[] = [];

afterAll(async () => {
  // Instances refer to those that were created before them.
  for (const path of created.toReversed()) await as('admin', 'DELETE', path);
});

async function create(entity: string, instance: object): Promise<string> {
  const path = `/entities/${entity}`;
  const response = await as('admin', 'POST', path, { body: JSON.stringify(instance) });
  expect(response.status).toBe(201);
  const { id } = response.json();
  created.push(`${path}/${id}`);
  return String(id);
}

/** Refusals that no schema can describe: names and instances that do not exist, and rules of the application. */
const OF_MEANING: ReadonlySet<string> = new Set([
  ...['DATA_CREATE_FAILED', 'DATA_UPDATE_FAILED', 'REQ_FETCH_PLAN_NOT_FOUND', 'REQ_INVALID_FETCH_PLAN'],
  ...['REQ_INVALID_SORT', 'REPORT_RUN_ERROR', 'REPORT_INVALID_PARAMETER', 'REPORT_TEMPLATE_NOT_FOUND'],
]);
/** Rules that schemas describe. Mandatory attributes are not marked as required: a fetch plan may leave them out. */
const DESCRIBED = /constraints\.(Size|Min|Max|DecimalMin|DecimalMax|Positive|PositiveOrZero|Pattern|Email)\./;

function agrees({ isAllowed }: SampledRequest, { status, headers, text }: Response): boolean {
  if (!isAllowed) return status >= 400 && status < 500;
  if (status !== 400) return status < 500;
  const code = headers.get('x-error-code') ?? '';
  return OF_MEANING.has(code) || (code === 'DATA_VALIDATION_FAILED' && !DESCRIBED.test(text) && !isOutOfBounds(text));
}

/** Digits before the point are described, those after it are not. */
const isOutOfBounds = (text: string): boolean =>
  (JSON.parse(text) as readonly { readonly message: string; readonly invalidValue: unknown }[]).some(
    ({ message, invalidValue }) => {
      const [, whole] = /<(\d+) digits?>/.exec(message) ?? [];
      return whole !== undefined && Number(whole) <= 15 && Math.abs(Number(invalidValue)) >= 10 ** Number(whole);
    },
  );

async function send({ method, target, contentType, body }: SampledRequest): Promise<Response> {
  const headers = contentType === undefined ? {} : { 'content-type': contentType };
  const path = target.replace(/^\/rest/, '');
  const response = await as('admin', method, path, {
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (response.status === 201)
    for (const { id } of [response.json()].flat()) created.push(`${path.split('?')[0]}/${id}`);
  return response;
}

const counts = { allowed: 0, excluded: 0 };

async function disagreementsOf(operation: SampledOperation): Promise<readonly unknown[]> {
  const disagreements: unknown[] = [];
  for (const request of fc.sample(requestsOf(document, check, operation), REQUESTS)) {
    const response = await send(request);
    counts[request.isAllowed ? 'allowed' : 'excluded'] += 1;
    if (agrees(request, response)) continue;
    const { isAllowed, method, target, body } = request;
    const side = isAllowed ? 'allowed and refused' : 'excluded and accepted';
    disagreements.push([side, `${method} ${target}`, body, response.status, response.text.slice(0, 300)]);
  }
  return disagreements;
}

test(`${REQUESTS} requests of each operation (LINTEL_PROPERTY_SEED=${SEED}) are accepted where the document allows them, and refused where it does not`, async () => {
  const operations = operationsOf(document, await createInstances(create)).values();
  const disagreements: unknown[] = [];
  const work = async (): Promise<void> => {
    for (const operation of operations) disagreements.push(...(await disagreementsOf(operation)));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  expect(disagreements).toEqual([]);
  // Requests of one side alone would prove little.
  expect(Math.min(counts.allowed, counts.excluded)).toBeGreaterThan((counts.allowed + counts.excluded) / 10);
}, 1_200_000);
