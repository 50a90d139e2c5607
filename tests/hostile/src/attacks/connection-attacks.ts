import { setTimeout as sleep } from 'node:timers/promises';
import type { Reply } from '../client/send-request.ts';
import { type Attack, type Attacker, atOnce } from './attack.ts';
import { PATHS } from './request-shapes.ts';

/** What a slow connection may end with. */
const SLOW: Attack['statuses'] = [400, 408, 413, 429, 503, 'closed', 'timeout'];
const HOLD_MS = 2_000;
const LONG_HOLD_MS = 12_000;

const reply = (status: Reply['status']): Reply => ({ status, ms: 0, headers: {}, text: '', byteCount: 0 });

/** Opens connections, writes to each, holds them, and returns what each got. */
async function hold(
  attacker: Attacker,
  count: number,
  holdMs: number,
  begin: string,
  more?: string,
): Promise<readonly Reply[]> {
  const opened = await Promise.allSettled(Array.from({ length: count }, () => attacker.connect()));
  const connections = opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  for (const connection of connections) connection.write(begin);
  const untilMs = performance.now() + holdMs;
  while (performance.now() < untilMs) {
    await sleep(500);
    if (more !== undefined) for (const connection of connections) if (!connection.isClosed) connection.write(more);
  }
  const statuses = await Promise.all(connections.map((connection) => connection.status(1)));
  for (const connection of connections) connection.close();
  return statuses.map(reply);
}

const head = (method: string, path: string, headers: readonly string[]): string =>
  [`${method} ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n');
const FORM = head('POST', '/oauth/token', [
  'Content-Type: application/x-www-form-urlencoded',
  'Content-Length: 50000',
  `Authorization: Basic ${btoa('client:secret')}`,
]);
const searchHead = (authorization: string | undefined): string =>
  head('POST', PATHS.orderSearch, [
    'Content-Type: application/json',
    'Content-Length: 50000',
    `Authorization: ${authorization}`,
  ]);
const PART_OF_FORM = `grant_type=password&username=${'u'.repeat(17_000)}`;

const held = (holdMs: number, isLong: boolean): readonly Attack[] => {
  const long = isLong ? { isLong: true as const } : {};
  const seconds = holdMs / 1_000;
  return [
    {
      finding: 'M1',
      title: `300 connections that hold 17 KB of a 50 KB form for ${seconds} s leave room for logins`,
      sender: 'anonymous',
      run: (attacker) => hold(attacker, 300, holdMs, FORM + PART_OF_FORM),
      statuses: SLOW,
      ...long,
    },
    {
      finding: 'M1',
      title: `300 connections that hold 17 KB of a 50 KB search for ${seconds} s leave room for others`,
      sender: 'manager',
      run: (attacker) =>
        hold(attacker, 300, holdMs, `${searchHead(attacker.authorization)}{"filter":"${'x'.repeat(17_000)}`, 'x'),
      statuses: SLOW,
      ...long,
    },
  ];
};

const AUTHORIZE = `/oauth2/authorize?${new URLSearchParams({
  client_id: 'client',
  response_type: 'code',
  redirect_uri: 'http://127.0.0.1/callback',
  scope: 'openid',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
})}`;
const authorizations = (count: number, isLong: boolean): Attack => ({
  finding: 'M2',
  title: `${count} begun logins of strangers take bounded memory`,
  sender: 'anonymous',
  run: ({ send }) =>
    atOnce(count, 20, (at) => send({ method: 'GET', path: `${AUTHORIZE}&state=${at}${'s'.repeat(500)}` })),
  statuses: [303, 400, 429, 503],
  ...(isLong ? { isLong: true as const } : {}),
});

/** Connections, streams and begun logins (M1, M2). */
export const CONNECTION_ATTACKS: readonly Attack[] = [
  ...held(HOLD_MS, false),
  ...held(LONG_HOLD_MS, true),
  authorizations(4_000, false),
  authorizations(20_000, true),
  {
    finding: 'M1',
    title: '300 connections that send their headers slowly leave room for others',
    sender: 'anonymous',
    run: (attacker) => hold(attacker, 300, HOLD_MS, 'GET /rest/userInfo HTTP/1.1\r\nHost: localhost\r\n', 'X-A: b\r\n'),
    statuses: SLOW,
  },
  {
    finding: 'M1',
    title: '500 connections that send nothing leave room for others',
    sender: 'anonymous',
    run: (attacker) => hold(attacker, 500, HOLD_MS, ''),
    statuses: SLOW,
  },
  {
    finding: 'M1',
    title: '60 connections that read nothing of their large lists leave room for others',
    sender: 'manager',
    run: (attacker) =>
      hold(
        attacker,
        60,
        HOLD_MS,
        head('GET', `${PATHS.orders}?limit=10000&fetchPlan=order-edit`, [`Authorization: ${attacker.authorization}`]),
      ),
    statuses: [200, ...SLOW],
  },
  {
    finding: 'M1',
    title: '100 feeds of changes of one user are limited',
    sender: 'manager',
    run: (attacker) =>
      hold(
        attacker,
        100,
        HOLD_MS,
        head('GET', '/rest/changes/sales_Order', [`Authorization: ${attacker.authorization}`]),
      ),
    statuses: [200, ...SLOW],
  },
  {
    finding: 'M1',
    title: '2,000 light requests of one user at the same time leave room for others',
    sender: 'manager',
    run: ({ send }) => atOnce(2_000, 64, () => send({ method: 'GET', path: '/rest/userInfo' })),
    statuses: [200, 429, 503],
    withinMs: 10_000,
  },
];
