import { fc } from '@lintel/testkit/properties';
import { otherRequests } from './other-requests.ts';
import { type EntityTexts, entityNames, jsonTexts, oddNames, textsFor } from './random-json.ts';
import { counts, encoded, flags, headers, ids, type RandomRequest, requestOf, users } from './request-parts.ts';

const sortsBy = (paths: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(fc.constantFrom('', '', '-', '-', '+', '--', ' '), paths), { maxLength: 3 })
    .map((keys) => keys.map(([sign, path]) => sign + path).join(','));

/** @param cursors good ones, to be damaged */
const cursorTexts = (cursors: readonly string[]) =>
  fc
    .tuple(fc.constantFrom(...cursors, ''), fc.nat(), fc.string({ maxLength: 3 }), fc.integer({ min: 0, max: 3 }))
    .map(([cursor, at, other, kind]) => {
      const index = at % (cursor.length + 1);
      return kind === 0
        ? cursor
        : cursor.slice(0, index) + other + cursor.slice(index + (kind === 1 ? 0 : other.length));
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

/** Requests on every route that reads. */
export function randomRequests(cursors: readonly string[]): fc.Arbitrary<RandomRequest> {
  const known = entityNames.map((entity) => requestsOf(entity, fc.constant(entity), cursors));
  const other = fc.oneof(
    fc.constantFrom('sec_User', 'sec_RoleAssignment', 'sales_PriceQuote', 'sales_Address'),
    oddNames,
  );
  return fc.oneof(
    ...known.map((arbitrary) => ({ arbitrary, weight: 4 })),
    { arbitrary: requestsOf('', encoded(other), cursors), weight: 3 },
    { arbitrary: otherRequests(), weight: 10 },
  );
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
    fc
      .tuple(
        segments.map((segment) => `/rest/entities/${segment}`),
        tail,
        fc.constantFrom(...methods),
        search,
        body,
        headers,
        users,
      )
      .map(requestOf);
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
