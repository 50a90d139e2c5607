import { fc } from '@lintel/testkit/properties';
import { demo } from '../api.ts';
import type { RawRequest } from '../send-raw.ts';
import { jsonTexts, oddNames } from './random-json.ts';

/** A request without its caller. */
export interface RandomRequest extends RawRequest {
  readonly user: string;
}

const LONGEST_TARGET = 12_000;

const base64url = (text: string): string => Buffer.from(text).toString('base64url');

export const ids = fc.oneof(
  { arbitrary: fc.constantFrom(demo.order(1), demo.customer(1), demo.product(1), 'BER', '1'), weight: 3 },
  {
    arbitrary: fc.constantFrom(
      'search',
      'count',
      'search/count',
      '../sales_Order',
      'a%2Fb',
      '%00',
      '%',
      '%ZZ',
      '%C3%28',
    ),
    weight: 1,
  },
  { arbitrary: fc.constantFrom('9223372036854775808', '-1', '1e3', '0x1', '1'.repeat(3_000), ';a=b', '?'), weight: 1 },
  { arbitrary: oddNames, weight: 1 },
  { arbitrary: jsonTexts.map(base64url), weight: 1 },
  {
    arbitrary: fc
      .tuple(jsonTexts, jsonTexts)
      .map(([currency, day]) => base64url(`{"currency":${currency},"validOn":${day}}`)),
    weight: 1,
  },
  { arbitrary: fc.string({ unit: 'binary', maxLength: 30 }), weight: 1 },
);

export const counts = fc.oneof(
  { arbitrary: fc.integer({ min: 0, max: 30 }).map(String), weight: 5 },
  {
    arbitrary: fc.constantFrom('-1', '1e1', '1.0', '', ' 1', '١', 'NaN', '99999999999999999999', '0000000000000000001'),
    weight: 1,
  },
);
export const flags = fc.constantFrom('true', 'false', '1', 'off', '', 'maybe', 'null');
const preferences = fc.oneof(
  fc.constantFrom('count=exact', 'count=estimated', 'count=none', 'server-timing', 'count=exact, count=none', 'count'),
  fc.string({ unit: 'grapheme-ascii', maxLength: 40 }),
);

const ACCEPTED = ['*/*', 'application/json', 'application/*', 'text/html, */*;q=0.1'];

export const headers = fc.record(
  {
    prefer: preferences,
    accept: fc.constantFrom(...ACCEPTED, ...ACCEPTED, ...ACCEPTED, 'text/html', 'application/*;q=0', ',', 'a/b/c'),
    'accept-language': fc.constantFrom('de', 'en-US;q=0', '*', 'xx', 'zh-cn', ';', '-'.repeat(500)),
    'if-none-match': fc.constantFrom('*', '"x"', 'W/"1.a"', '"', ','),
    'content-type': fc.constantFrom('application/json', 'text/plain', 'multipart/form-data', 'x'),
    'x-username': fc.constant('admin'),
  },
  { requiredKeys: [] },
);

/** What `http.request` lets through is sent as it is; the rest is percent-encoded. */
const asTarget = (text: string): string =>
  text.replaceAll(/[^\x21-\x7e]/gu, (other) => encodeURIComponent(other.toWellFormed()));

/** A part of a target, encoded whole, half, or not at all. */
export const encoded = (arbitrary: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(arbitrary, fc.integer({ min: 0, max: 9 })).map(([text, kind]) => {
    if (kind === 0) return asTarget(text);
    if (kind === 1) return asTarget(encodeURI(text.toWellFormed()));
    return encodeURIComponent(text.toWellFormed());
  });

export const users = fc.constantFrom('admin', 'admin', 'admin', 'clerk', 'auditor');

/** Path up to the entity, rest of the path, method, query, body, headers, user. */
export type Parts = readonly [string, string, string, string, string | undefined, RandomRequest['headers'], string];

export function requestOf([start, path, method, search, body, sentHeaders, user]: Parts): RandomRequest {
  const target = `${start}${path}${search}`;
  return {
    // The response to a head that is too long has a body, whatever its method was.
    method: method === 'HEAD' && target.length > LONGEST_TARGET ? 'GET' : method,
    target,
    headers: sentHeaders,
    user,
    ...(body === undefined ? {} : { body }),
  };
}
