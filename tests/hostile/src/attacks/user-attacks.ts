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
  const username = `${name}-${logins}`;
  let id = '';
  return {
    finding: 'L',
    title: `a user with ${logins} logins is disabled in time`,
    sender: 'anonymous',
    prepare: async (attacker) => {
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

/** Logins (L, M6). */
export const USER_ATTACKS: readonly Attack[] = [
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
