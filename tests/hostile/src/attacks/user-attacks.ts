import { randomUUID } from 'node:crypto';
import type { Reply } from '../client/send-request.ts';
import { type Attack, type Attacker, atOnce } from './attack.ts';
import { idOf } from './created.ts';

const name = `hostile-${randomUUID().slice(0, 8)}`;

/** Creates a user whose password is `secret-of-` and the name. */
async function createUser({ asAdmin }: Attacker, username: string): Promise<string> {
  const id = idOf(
    await asAdmin({
      method: 'POST',
      path: '/rest/entities/sec_User',
      body: { username, password: `secret-of-${username}` },
    }),
  );
  const body = { username, roleCode: 'rest-minimal', roleType: 'resource' };
  idOf(await asAdmin({ method: 'POST', path: '/rest/entities/sec_RoleAssignment', body }));
  return id;
}

const logIn = ({ send }: Attacker, username: string): Promise<Reply> =>
  send({
    method: 'POST',
    path: '/oauth/token',
    headers: {
      authorization: `Basic ${btoa('client:secret')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: `grant_type=password&username=${username}&password=secret-of-${username}`,
  });

/** A user logs in so often and is disabled then: its sessions end with it (L). */
function disabled(logins: number, isLong: boolean): Attack {
  let id = '';
  return {
    finding: 'L',
    title: `a user with ${logins} logins is disabled in time`,
    sender: 'anonymous',
    prepare: async (attacker) => {
      const username = `${name}-${randomUUID().slice(0, 8)}`;
      id = await createUser(attacker, username);
      await atOnce(logins, 8, () => logIn(attacker, username));
    },
    run: async ({ asAdmin }) => [
      await asAdmin({ method: 'PUT', path: `/rest/entities/sec_User/${id}`, body: { active: false } }),
    ],
    statuses: [200],
    withinMs: 1_000,
    ...(isLong ? { isLong: true as const } : {}),
  };
}

const FILE = '/rest/files?fileRef=fs%3A%2F%2Fa';

/** One-time tickets (T). */
const TICKET_ATTACKS: readonly Attack[] = [
  {
    finding: 'T',
    title: '700 tickets of one session are issued up to the limit',
    sender: 'viewer',
    run: ({ send }) => atOnce(700, 20, () => send({ method: 'POST', path: '/rest/tickets', body: { url: FILE } })),
    statuses: [201, 429],
    withinMs: 2_000,
  },
  {
    finding: 'T',
    title: 'a ticket for a URL of 8,000 characters that all need an escape is refused in time',
    sender: 'manager',
    run: async ({ send }) => [
      await send({ method: 'POST', path: '/rest/tickets', body: { url: FILE.padEnd(8_000, '<') } }),
    ],
    statuses: [400],
    withinMs: 500,
  },
  {
    finding: 'T',
    title: '500 wrong tickets of a stranger leave room for others',
    sender: 'anonymous',
    run: ({ send }) =>
      atOnce(500, 20, (at) => send({ method: 'GET', path: `${FILE}&ticket=${String(at).padEnd(43, '-')}` })),
    statuses: [401, 429, 503],
  },
];

/** Logins and tickets (L, M6, T). */
export const USER_ATTACKS: readonly Attack[] = [
  ...TICKET_ATTACKS,
  disabled(60, false),
  disabled(1_500, true),
  {
    finding: 'M6',
    title: '100 wrong passwords of a stranger leave room for others',
    sender: 'anonymous',
    run: (attacker) => atOnce(100, 20, (at) => logIn(attacker, `unknown-${at}`)),
    statuses: [400, 401, 429, 503],
    withinMs: 10_000,
  },
];
