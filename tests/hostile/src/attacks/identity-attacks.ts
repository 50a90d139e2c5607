import type { Reply } from '../client/send-request.ts';
import { INITIAL_ACCESS_TOKEN } from '../system/initial-access-token.ts';
import { type Attack, type Attacker, atOnce } from './attack.ts';
import { MEBIBYTE } from './request-shapes.ts';

const jsonOf = (levels: number, member: string): string => `{"${member}":${'['.repeat(levels)}${']'.repeat(levels)}}`;

const register = ({ send }: Attacker, body: string, token: string): Promise<Reply> =>
  send({
    method: 'POST',
    path: '/oauth2/register',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body,
  });

/** The check of a policy whose condition has about that number of characters. */
function condition(characters: number): string {
  const test = "{E}.number = 'a' or ";
  const whereClause = `${test.repeat(Math.floor(characters / test.length) - 1)}1 = 1`.padEnd(characters);
  return JSON.stringify({ entityName: 'sales_Order', whereClause });
}

const view = (content: object, question?: object): string =>
  JSON.stringify({ entityName: 'sales_Order', name: JSON.stringify(content).slice(0, 100), content, question });

/** A sum of all that a member of an order leads to, as often as its text has room. */
const LARGEST_QUESTION = {
  aggregates: Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`n${at}`, { sum: 'lines.quantity' }])),
};

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A proof of the maximum length, with the key that is the most expensive to verify, and a wrong signature. */
function expensiveProof(index: number): string {
  const n = Buffer.alloc(384, 0xff).toString('base64url');
  const e = Buffer.alloc(383, 0xff).toString('base64url');
  const header = { typ: 'dpop+jwt', alg: 'RS256', jwk: { kty: 'RSA', n, e } };
  const payload = {
    jti: String(index),
    htm: 'POST',
    htu: 'http://localhost/oauth2/token',
    iat: Math.floor(Date.now() / 1000),
  };
  return `${base64(header)}.${base64(payload)}.${Buffer.alloc(384, 1).toString('base64url')}`;
}

const TOO_MANY: Attack['statuses'] = [400, 401, 429, 503];

/** Clients, registration, API keys and proofs of possession (C, R, K, D). */
export const IDENTITY_ATTACKS: readonly Attack[] = [
  {
    finding: 'C',
    title: 'a client with a member of 15,000 levels is refused in time',
    sender: 'admin',
    run: async ({ send }) => [
      await send({ method: 'POST', path: '/rest/clients', body: jsonOf(15_000, 'jwks') }),
      await send({ method: 'POST', path: '/rest/api-keys', body: jsonOf(15_000, 'resourceRoles') }),
      await send({ method: 'POST', path: '/rest/rights/preview', body: jsonOf(15_000, 'policies') }),
    ],
    statuses: [400],
  },
  {
    finding: 'V',
    title: 'a view with too much content, or too many levels, is refused in time',
    sender: 'admin',
    run: async ({ send }) => [
      await send({ method: 'POST', path: '/rest/user-session/views', body: jsonOf(15_000, 'content') }),
      await send({ method: 'POST', path: '/rest/user-session/views', body: view({ words: 'w'.repeat(25_000) }) }),
      await send({ method: 'POST', path: '/rest/user-session/views', body: view({}, LARGEST_QUESTION) }),
    ],
    statuses: [400],
  },
  {
    finding: 'V',
    title: 'of many views that are saved at once, not more are kept than a user may have',
    sender: 'admin',
    run: async ({ send }) =>
      await atOnce(150, 20, async (index) =>
        send({ method: 'POST', path: '/rest/user-session/views', body: view({ index }) }),
      ),
    statuses: [201, 400, 429, 503],
  },
  {
    finding: 'V',
    title: 'a list of as many views with as much content as a user may have is read in time',
    sender: 'manager',
    run: async ({ send }) => {
      const parts = Array.from({ length: 1_900 }, (_, index) => ({ a: index % 10 }));
      const post = async (index: number) =>
        send({ method: 'POST', path: '/rest/user-session/views', body: view({ index, parts }) });
      await atOnce(100, 10, post);
      return await atOnce(10, 10, async () => send({ method: 'GET', path: '/rest/user-session/views' }));
    },
    statuses: [200, 429, 503],
  },
  {
    finding: 'V',
    title: 'as many notifications as are marked at once, more, and other members, are checked in time',
    sender: 'manager',
    run: async ({ send }) => {
      const read = (body: string) => send({ method: 'POST', path: '/rest/user-session/notifications/read', body });
      const ids = Array.from({ length: 800 }, (_, at) => `01890000-0000-7000-8000-${String(at).padStart(12, '0')}`);
      return [
        ...(await atOnce(20, 10, () => read(JSON.stringify({ ids: ids.slice(0, 50) })))),
        await read(JSON.stringify({ ids })),
        await read(jsonOf(15_000, 'ids')),
      ];
    },
    statuses: [204, 400, 429, 503],
  },
  {
    finding: 'V',
    title: 'as many notifications as a user keeps, with as much content as they may have, are listed in time',
    sender: 'manager',
    prepare: async ({ query }) => {
      await query(
        `INSERT INTO sys.notification (id, user_id, created_at, content)
         SELECT gen_random_uuid(), u.id, now(), $1 FROM sec."user" u, generate_series(1, 1000) WHERE username = 'manager'`,
        [JSON.stringify({ title: 'ü'.repeat(200), text: 'ü'.repeat(2_000) })],
      );
    },
    run: ({ send }) => atOnce(40, 10, () => send({ method: 'GET', path: '/rest/user-session/notifications' })),
    cleanUp: async ({ query }) => {
      await query('DELETE FROM sys.notification');
    },
    statuses: [200, 429, 503],
  },
  {
    finding: 'P',
    title: 'a policy with a condition of the maximum length, or a longer one, is checked in time',
    sender: 'admin',
    run: async ({ send }) => [
      await send({ method: 'POST', path: '/rest/rights/conditions', body: condition(20_000) }),
      await send({ method: 'POST', path: '/rest/rights/conditions', body: condition(20_100) }),
    ],
    statuses: [200, 400],
  },
  {
    finding: 'R',
    title: 'registrations with too many levels, addresses or bytes are refused in time',
    sender: 'anonymous',
    run: async (attacker) => [
      await register(attacker, jsonOf(15_000, 'jwks'), INITIAL_ACCESS_TOKEN),
      await register(
        attacker,
        JSON.stringify({ redirect_uris: Array.from({ length: 1_500 }, (_, at) => `https://a/${at}`) }),
        INITIAL_ACCESS_TOKEN,
      ),
      await register(attacker, jsonOf(MEBIBYTE, 'jwks'), INITIAL_ACCESS_TOKEN),
    ],
    statuses: [400, 413],
  },
  {
    finding: 'R',
    title: '300 wrong tokens of registrations of a stranger leave room for others',
    isLong: true,
    sender: 'anonymous',
    run: (attacker) => atOnce(300, 20, (at) => register(attacker, '{}', `guess-${at}`)),
    statuses: TOO_MANY,
  },
  {
    finding: 'K',
    title: '500 wrong API keys of a stranger leave room for others',
    isLong: true,
    sender: 'anonymous',
    run: ({ send }) =>
      atOnce(500, 20, (at) =>
        send({
          method: 'GET',
          path: '/rest/userInfo',
          headers: { authorization: `Bearer lk_${String(at).padStart(49, '0')}` },
        }),
      ),
    statuses: TOO_MANY,
  },
  {
    finding: 'D',
    title: '200 proofs with the most expensive keys leave room for others',
    isLong: true,
    sender: 'anonymous',
    run: ({ send }) =>
      atOnce(200, 20, (at) =>
        send({
          method: 'POST',
          path: '/oauth2/token',
          headers: {
            authorization: `Basic ${btoa('client:secret')}`,
            'content-type': 'application/x-www-form-urlencoded',
            dpop: expensiveProof(at),
          },
          body: 'grant_type=refresh_token&refresh_token=none',
        }),
      ),
    statuses: TOO_MANY,
  },
];
