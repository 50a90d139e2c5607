import { setTimeout as sleep } from 'node:timers/promises';
import { createResponseCheck, type ResponseCheck } from './openapi/check-response.ts';
import type { OpenApi } from './openapi/read-document.ts';

/** Client of the API under test. Everything goes through the gateway at `LINTEL_BASE_URL`. */

const base = process.env['LINTEL_BASE_URL'];
if (base === undefined) throw new Error('Set LINTEL_BASE_URL to the address of a running gateway, or use `npm test`.');

export const baseUrl = base.replace(/\/$/, '');

export interface Response {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; throws when it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: responses have every shape
  json(): any;
}

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Objects are sent as JSON, texts and bytes as they are. */
  readonly body?: unknown;
}

const bodyOf = (body: unknown): string | Uint8Array<ArrayBuffer> | FormData | URLSearchParams | undefined => {
  if (body === undefined || typeof body === 'string') return body;
  if (body instanceof Uint8Array) return new Uint8Array(body);
  if (body instanceof FormData || body instanceof URLSearchParams) return body;
  return JSON.stringify(body);
};

let check: Promise<ResponseCheck> | undefined;

/** Controllers of the example application, which no document describes. */
const CONTROLLERS = [/^\/rest\/sales\//, /^\/sales\//];

/** Compares responses with the detailed OpenAPI document of the system, which is read once. */
export function responseCheck(): Promise<ResponseCheck> {
  check ??= wholeDocument().then((document) =>
    createResponseCheck(document, (path) => CONTROLLERS.some((pattern) => pattern.test(path))),
  );
  return check;
}

/** Without a token the document has only what needs none. */
async function wholeDocument(): Promise<OpenApi> {
  const login = await fetch(`${baseUrl}/oauth/token`, {
    method: 'POST',
    headers: { authorization: basic('client', 'secret') },
    body: new URLSearchParams({ grant_type: 'password', username: 'admin', password: 'admin' }),
  });
  const { access_token: token } = (await login.json()) as { readonly access_token: string };
  const response = await fetch(`${baseUrl}/rest/docs/openapiDetailed.json`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return (await response.json()) as OpenApi;
}

/** Sends a request without a token, and compares the response with the OpenAPI document. */
export async function send(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
  const body = bodyOf(options.body);
  const attempt = () =>
    fetch(`${baseUrl}${path}`, {
      method,
      headers: { ...options.headers },
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    });
  const response = await attempt().catch((error: unknown) => {
    // The server has closed an idle connection while the test was busy, e.g. with checking a document.
    if (method !== 'GET' || (error as { cause?: { code?: string } }).cause?.code !== 'UND_ERR_SOCKET') throw error;
    return attempt();
  });
  const text = await response.text();
  const seen = { status: response.status, contentType: response.headers.get('content-type'), text };
  // Documents have the body of a rehearsal in words only.
  const isRehearsal = response.headers.get('preference-applied')?.includes('tx=rollback') === true;
  const problem = isRehearsal ? undefined : (await responseCheck())(method, path, seen);
  if (problem !== undefined) throw new Error(`Not as the OpenAPI document has it: ${problem}`);
  return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
}

export const basic = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

/** A request to a token endpoint as the demo client. */
export const tokenRequest = (
  path: string,
  form: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = { authorization: basic('client', 'secret') },
): Promise<Response> => send('POST', path, { headers, body: new URLSearchParams(form) });

const tokens = new Map<string, Promise<string>>();

/** An access token of a demo user (whose password is the user name); one per test file and user. */
export function tokenOf(username: string): Promise<string> {
  const known = tokens.get(username);
  if (known !== undefined) return known;
  const token = tokenRequest('/oauth/token', { grant_type: 'password', username, password: username }).then(
    (response) => {
      if (response.status !== 200) throw new Error(`No token for ${username}: ${response.status} ${response.text}`);
      return String(response.json().access_token);
    },
  );
  tokens.set(username, token);
  return token;
}

/** Sends a request under `/rest` as a demo user. */
export async function as(
  username: string,
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<Response> {
  const token = await tokenOf(username);
  return send(method, `/rest${path}`, {
    ...options,
    headers: { authorization: `Bearer ${token}`, ...options.headers },
  });
}

/** Query string of the given parameters; objects are sent as JSON. */
export const query = (parameters: Readonly<Record<string, unknown>>): string =>
  `?${new URLSearchParams(
    Object.entries(parameters).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )}`;

/** Responses of ten seconds to a client that asks again after 20 ms; a busy machine gives fewer. */
const RESPONSES = 400;
/** Ten times what is promised: a server can stand still for seconds. */
const WITHIN_MS = 10_000;

/**
 * Asks again until the response is the expected one, as it is within a second (contract/decisions.md#56) on a machine
 * that does not stand still. Returns the last response.
 */
export async function withinASecond<T>(ask: () => Promise<T>, isExpected: (response: T) => boolean): Promise<T> {
  const endMs = performance.now() + WITHIN_MS;
  for (let responses = 1; ; responses += 1) {
    const response = await ask();
    if (isExpected(response) || (performance.now() > endMs && responses >= RESPONSES)) return response;
    await sleep(20);
  }
}

let counter = 0;

/** The codes and names of the example application are at least as long. */
const MAX_LENGTH = 20;

/** A text that no other test uses. The first digits of the time are left out where there is no room for them. */
export function unique(prefix: string): string {
  counter += 1;
  const end = `-${counter}`;
  const start = `${prefix}-${process.pid.toString(36)}-`.slice(0, MAX_LENGTH - end.length);
  const room = MAX_LENGTH - start.length - end.length;
  const time = Date.now().toString(36);
  return `${start}${time.slice(Math.max(0, time.length - room))}${end}`;
}

/** Ids of the demo data (examples/sales/src/demo). */
export const demo = {
  order: (number: number): string => `0d000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`,
  customer: (number: number): string => `c0000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`,
  product: (number: number): string => `b0000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`,
  user: (number: number): string => `00000001-0000-4000-8000-${number.toString(16).padStart(12, '0')}`,
};

/** An order that a test owns; returns its id. */
export async function createOrder(values: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const response = await as('admin', 'POST', '/entities/sales_Order', {
    body: { number: unique('T'), date: '2026-02-03', customer: { id: demo.customer(1) }, ...values },
  });
  if (response.status !== 201) throw new Error(`The order was not created: ${response.status} ${response.text}`);
  return String(response.json().id);
}
