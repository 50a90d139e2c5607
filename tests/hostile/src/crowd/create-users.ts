import type { Attacker } from '../attacks/attack.ts';

const ROLES = ['rest-minimal', 'sales-manager'];
const AT_ONCE = 200;

/** Creates users that may read and change orders; their passwords are `secret-of-` and the name. */
export async function createUsers(asAdmin: Attacker['asAdmin'], usernames: readonly string[]): Promise<void> {
  const create = async (entity: string, body: readonly object[]): Promise<void> => {
    for (let at = 0; at < body.length; at += AT_ONCE) {
      const reply = await asAdmin({
        method: 'POST',
        path: `/rest/entities/${entity}`,
        body: body.slice(at, at + AT_ONCE),
      });
      if (reply.status !== 201) throw new Error(`No users: ${reply.status} ${reply.text}`);
    }
  };
  await create(
    'sec_User',
    usernames.map((username) => ({ username, password: `secret-of-${username}` })),
  );
  await create(
    'sec_RoleAssignment',
    usernames.flatMap((username) => ROLES.map((roleCode) => ({ username, roleCode, roleType: 'resource' }))),
  );
}
