import { rowsOf, type StatementRunner } from '@lintel/persistence';
import { badRequest } from '../protocol/scim-failure.ts';
import { USER_SOURCE, VISIBLE } from '../users/user-queries.ts';
import type { GivenMember } from './read-group.ts';

const KNOWN = `SELECT u.id FROM ${USER_SOURCE} WHERE ${VISIBLE} AND u.id = ANY($2::uuid[])`;
const ADOPT = 'INSERT INTO auth.scim_user (user_id) SELECT unnest($1::uuid[]) ON CONFLICT DO NOTHING';
const ADD = `INSERT INTO auth.scim_member (group_id, user_id, display)
SELECT $1, m.id, m.display FROM unnest($2::uuid[], $3::text[]) AS m(id, display)
ON CONFLICT DO NOTHING RETURNING user_id`;
const REMOVE = 'DELETE FROM auth.scim_member WHERE group_id = $1 AND user_id = ANY($2::uuid[]) RETURNING user_id';
const REMOVE_OTHERS =
  'DELETE FROM auth.scim_member WHERE group_id = $1 AND user_id NOT IN (SELECT unnest($2::uuid[])) RETURNING user_id';
/** In the order of the ids, so that concurrent changes wait for each other. */
const REVISE = `WITH locked AS MATERIALIZED (
  SELECT user_id FROM auth.scim_user WHERE user_id = ANY($1::uuid[]) ORDER BY user_id FOR UPDATE
)
UPDATE auth.scim_user AS s SET revision = s.revision + 1 FROM locked WHERE s.user_id = locked.user_id`;
const MEMBER_IDS = 'SELECT user_id FROM auth.scim_member WHERE group_id = $1';

const userIdsOf = async (...given: Parameters<typeof rowsOf>): Promise<readonly string[]> =>
  (await rowsOf<{ readonly user_id: string }>(...given)).map(({ user_id: userId }) => userId);

/** Statements about the members of groups. */
export function createMemberStore(linksExisting: boolean) {
  return {
    /**
     * Adds users. Returns those that were no members before; users that SCIM did not create get a record.
     *
     * @throws ScimFailure invalidValue if one of them is not there
     */
    async add(runner: StatementRunner, id: string, members: readonly GivenMember[]): Promise<readonly string[]> {
      if (members.length === 0) return [];
      const userIds = members.map((member) => member.id);
      const known = await rowsOf<{ readonly id: string }>(runner, 'auth_scim_known_members', KNOWN, [
        linksExisting,
        userIds,
      ]);
      const ids = new Set(known.map((row) => row.id));
      const missing = userIds.find((each) => !ids.has(each));
      if (missing !== undefined) throw badRequest('invalidValue', `members: there is no user ${missing}`);
      await rowsOf(runner, 'auth_scim_adopt_members', ADOPT, [userIds]);
      const displays = members.map(({ display }) => display);
      return userIdsOf(runner, 'auth_scim_add_members', ADD, [id, userIds, displays]);
    },

    /** Removes users; returns those that were members. */
    remove: (runner: StatementRunner, id: string, userIds: readonly string[]): Promise<readonly string[]> =>
      userIdsOf(runner, 'auth_scim_remove_members', REMOVE, [id, userIds]),

    /** Removes all members except some; returns those that were removed. */
    removeOthers: (runner: StatementRunner, id: string, userIds: readonly string[]): Promise<readonly string[]> =>
      userIdsOf(runner, 'auth_scim_remove_other_members', REMOVE_OTHERS, [id, userIds]),

    /** Raises the versions of users whose groups have changed. */
    async revise(runner: StatementRunner, userIds: readonly string[]): Promise<void> {
      if (userIds.length > 0) await rowsOf(runner, 'auth_scim_revise_members', REVISE, [userIds]);
    },

    memberIds: (runner: StatementRunner, id: string): Promise<readonly string[]> =>
      userIdsOf(runner, 'auth_scim_member_ids', MEMBER_IDS, [id]),
  };
}
