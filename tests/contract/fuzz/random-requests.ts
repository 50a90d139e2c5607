import fc from 'fast-check';
import { demo } from '../api.ts';
import type { RawRequest } from '../send-raw.ts';
import { type EntityTexts, entityNames, jsonTexts, oddNames, textsFor } from './random-json.ts';

/** A request without its caller. */
export interface RandomRequest extends RawRequest {
  readonly user: string;
}

const LONGEST_TARGET = 12_000;

const base64url = (text: string): string => Buffer.from(text).toString('base64url');

const ids = fc.oneof(
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

const counts = fc.oneof(
  { arbitrary: fc.integer({ min: 0, max: 30 }).map(String), weight: 5 },
  {
    arbitrary: fc.constantFrom('-1', '1e1', '1.0', '', ' 1', '١', 'NaN', '99999999999999999999', '0000000000000000001'),
    weight: 1,
  },
);
const flags = fc.constantFrom('true', 'false', '1', 'off', '', 'maybe', 'null');
const sortsBy = (paths: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(fc.constantFrom('', '', '-', '-', '+', '--', ' '), paths), { maxLength: 3 })
    .map((keys) => keys.map(([sign, path]) => sign + path).join(','));

/** @param cursors good ones, to be damaged */
const cursorTexts = (cursors: readonly string[]) =>
  fc
    .tuple(fc.constantFrom(...cursors, ''), fc.nat(), fc.string({ maxLength: 3 }), fc.integer({ min: 0, max: 3 }))
    .map(([cursor, at, other, kind]) => {
      const place = at % (cursor.length + 1);
      return kind === 0
        ? cursor
        : cursor.slice(0, place) + other + cursor.slice(place + (kind === 1 ? 0 : other.length));
    });

const preferences = fc.oneof(
  fc.constantFrom('count=exact', 'count=estimated', 'count=none', 'server-timing', 'count=exact, count=none', 'count'),
  fc.string({ unit: 'grapheme-ascii', maxLength: 40 }),
);

const ACCEPTED = ['*/*', 'application/json', 'application/*', 'text/html, */*;q=0.1'];

const headers = fc.record(
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
const encoded = (arbitrary: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(arbitrary, fc.integer({ min: 0, max: 9 })).map(([text, kind]) => {
    if (kind === 0) return asTarget(text);
    if (kind === 1) return asTarget(encodeURI(text.toWellFormed()));
    return encodeURIComponent(text.toWellFormed());
  });

const parameter = (texts: EntityTexts, cursors: readonly string[]): fc.Arbitrary<string> => {
  const of = (name: string, value: fc.Arbitrary<string>, weight: number) => ({
    arbitrary: encoded(value).map((text) => `${name}=${text}`),
    weight,
  });
  return fc.oneof(
    of('fetchPlan', texts.fetchPlans, 4),
    of('sort', sortsBy(texts.paths), 3),
    of('limit', counts, 2),
    of('offset', counts, 2),
    of('cursor', cursorTexts(cursors), 2),
    of('returnCount', flags, 1),
    of('returnNulls', flags, 1),
    of('dynamicAttributes', flags, 1),
    {
      arbitrary: fc.constantFrom('limit[]=1', 'filter[a]=b', '__proto__=1', '&&', '=', '%', 'limit', 'a=%ZZ'),
      weight: 1,
    },
  );
};

const queryText = (texts: EntityTexts, cursors: readonly string[], withFilter: boolean): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.array(parameter(texts, cursors), { maxLength: 3 }),
      encoded(texts.filters),
      fc.integer({ min: 0, max: 9 }),
    )
    .map(([parameters, filter, odd]) =>
      [...parameters, ...(withFilter && odd > 0 ? [`filter=${filter}`] : [])].join('&'),
    )
    .map((text) => (text === '' ? '' : `?${text}`));

const bodiesOf = (texts: EntityTexts): fc.Arbitrary<string> =>
  fc
    .tuple(
      texts.filters,
      fc.array(
        fc.oneof(
          texts.fetchPlans.map((text) => `"fetchPlan":${text.startsWith('{') ? text : JSON.stringify(text)}`),
          sortsBy(texts.paths).map((text) => `"sort":${JSON.stringify(text)}`),
          fc
            .tuple(fc.constantFrom('limit', 'offset'), fc.oneof(counts, jsonTexts))
            .map(([name, text]) => `"${name}":${text}`),
          fc
            .tuple(fc.constantFrom('returnCount', 'returnNulls', 'cursor', 'view', '__proto__'), jsonTexts)
            .map(([name, text]) => `"${name}":${text}`),
        ),
        { maxLength: 4 },
      ),
      fc.integer({ min: 0, max: 12 }),
    )
    .map(([filter, members, odd]) => {
      if (odd === 0) return filter;
      if (odd === 1) return '';
      return `{${[`"filter":${filter}`, ...members].join(',')}}`;
    });

const users = fc.constantFrom('admin', 'admin', 'admin', 'clerk', 'auditor');

/** Requests on every route that reads entities. */
export function randomRequests(cursors: readonly string[]): fc.Arbitrary<RandomRequest> {
  const known = entityNames.map((entity) => requestsOf(entity, fc.constant(entity), cursors));
  const other = fc.oneof(
    fc.constantFrom('sec_User', 'sec_RoleAssignment', 'sales_PriceQuote', 'sales_Address'),
    oddNames,
  );
  return fc.oneof(...known.map((arbitrary) => ({ arbitrary, weight: 4 })), {
    arbitrary: requestsOf('', encoded(other), cursors),
    weight: 3,
  });
}

function requestsOf(
  entity: string,
  segments: fc.Arbitrary<string>,
  cursors: readonly string[],
): fc.Arbitrary<RandomRequest> {
  const texts = textsFor(entity);
  const query = (withFilter: boolean): fc.Arbitrary<string> => queryText(texts, cursors, withFilter);
  const bodies = bodiesOf(texts);
  const route = (
    tail: fc.Arbitrary<string>,
    methods: readonly string[],
    search: fc.Arbitrary<string>,
    body: fc.Arbitrary<string | undefined> = fc.constant(undefined),
  ): fc.Arbitrary<RandomRequest> =>
    fc.tuple(segments, tail, fc.constantFrom(...methods), search, body, headers, users).map(requestOf);
  const none = fc.constant('');
  const reading = ['GET', 'GET', 'GET', 'HEAD'];
  const slash = fc.constantFrom('', '', '', '', '', '/', '//', ';a=b', '%2e', '/.');
  return fc.oneof(
    {
      arbitrary: route(
        encoded(ids).map((id) => `/${id}`),
        reading,
        query(false),
      ),
      weight: 4,
    },
    { arbitrary: route(slash, [...reading, ...reading, 'PATCH', 'OPTIONS'], query(false)), weight: 5 },
    { arbitrary: route(fc.constant('/search'), reading, query(true)), weight: 6 },
    { arbitrary: route(fc.constant('/search/count'), reading, query(true)), weight: 2 },
    { arbitrary: route(fc.constant('/search'), ['POST'], fc.oneof(none, query(false)), bodies), weight: 6 },
    { arbitrary: route(fc.constant('/search/count'), ['POST'], none, bodies), weight: 2 },
  );
}

type Parts = readonly [string, string, string, string, string | undefined, RandomRequest['headers'], string];

function requestOf([entity, path, method, search, body, sentHeaders, user]: Parts): RandomRequest {
  const target = `/rest/entities/${entity}${path}${search}`;
  return {
    // The answer to a head that is too long has a body, whatever its method was.
    method: method === 'HEAD' && target.length > LONGEST_TARGET ? 'GET' : method,
    target,
    headers: sentHeaders,
    user,
    ...(body === undefined ? {} : { body }),
  };
}
