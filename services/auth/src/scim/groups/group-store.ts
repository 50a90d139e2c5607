import type { StatementRunner } from '@lintel/persistence';
import { compileFilter } from '../filters/compile-filter.ts';
import { compileOrder } from '../filters/compile-order.ts';
import { badRequest } from '../protocol/scim-failure.ts';
import type { ListRequest } from '../requests/list-request.ts';
import { type Page, USER_SOURCE, VISIBLE } from '../users/user-store.ts';
import { GROUP_COLUMNS } from './group-columns.ts';

export interface StoredGroup {
  readonly id: string;
  readonly displayName: string;
  readonly externalId: string | null;
  readonly version: number;
  readonly created: string;
  readonly lastModified: string;
  /** Null where they were not asked for. */
  readonly members: readonly { readonly id: string; readonly name: string }[] | null;
}

/** Members of all groups of one list. */
const MAX_LISTED_MEMBERS = 20_000;

const ISO = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

const jsonOf = (members: string): string => `json_build_object('id', g.id, 'displayName', g.display_name,
  'externalId', g.external_id, 'version', g.version,
  'created', to_char(g.created_at AT TIME ZONE 'UTC', ${ISO}),
  'lastModified', to_char(g.changed_at AT TIME ZONE 'UTC', ${ISO}),
  'members', ${members})`;

const MEMBERS = `(SELECT coalesce(json_agg(json_build_object('id', u.id, 'name', u.username) ORDER BY u.id), '[]')
  FROM auth.scim_member AS m JOIN sec."user" AS u ON u.id = m.user_id WHERE m.group_id = g.id)`;

const membersIf = (isIncluded: boolean): string => (isIncluded ? MEMBERS : 'NULL');

/** Statements about groups; each list is one. */
export function createGroupStore(linksExisting: boolean) {
  return {
    /** @throws ScimFailure tooMany if the groups of the page have too many members */
    async list(runner: StatementRunner, request: ListRequest, hasMembers: boolean): Promise<Page<StoredGroup>> {
      const parameters: unknown[] = [];
      const condition =
        request.filter === undefined ? 'true' : compileFilter(request.filter, GROUP_COLUMNS, parameters);
      const { key, order } = compileOrder(request, GROUP_COLUMNS);
      const offset = `$${parameters.push(request.startIndex - 1)}::bigint`;
      const limit = `$${parameters.push(request.count)}::bigint`;
      const items = `(SELECT coalesce(json_agg(${jsonOf(membersIf(hasMembers))} ORDER BY page.number), '[]')
    FROM page JOIN auth.scim_group AS g ON g.id = page.id)::text`;
      const isSmall = `(SELECT count(*) FROM (SELECT FROM auth.scim_member AS m JOIN page ON page.id = m.group_id
    LIMIT ${MAX_LISTED_MEMBERS + 1}) AS listed) <= ${MAX_LISTED_MEMBERS}`;
      const [row] = await runner.query<{ readonly total: number; readonly items: string | null }>({
        costName: 'auth_scim_groups',
        text: `WITH matched AS MATERIALIZED (SELECT g.id, ${key} AS sort FROM auth.scim_group AS g WHERE ${condition}),
page AS MATERIALIZED (SELECT id, row_number() OVER (ORDER BY ${order}) AS number FROM matched ORDER BY ${order} OFFSET ${offset} LIMIT ${limit})
SELECT (SELECT count(*)::int FROM matched) AS total,
  ${hasMembers ? `CASE WHEN ${isSmall} THEN ${items} END` : items} AS items`,
        values: parameters,
      });
      if (row?.items === null)
        throw badRequest(
          'tooMany',
          `The groups have more than ${MAX_LISTED_MEMBERS} members; use excludedAttributes=members or a smaller count`,
        );
      return { total: row?.total ?? 0, items: JSON.parse(row?.items ?? '[]') as StoredGroup[] };
    },

    async find(runner: StatementRunner, id: string, hasMembers: boolean): Promise<StoredGroup | undefined> {
      const [row] = await runner.query<{ readonly item: string }>({
        name: `auth_scim_group${hasMembers ? '_members' : ''}`,
        text: `SELECT ${jsonOf(membersIf(hasMembers))}::text AS item FROM auth.scim_group AS g WHERE g.id = $1`,
        values: [id],
      });
      return row === undefined ? undefined : (JSON.parse(row.item) as StoredGroup);
    },

    async create(runner: StatementRunner, id: string, displayName: string, externalId: string | null): Promise<void> {
      await runner.query({
        name: 'auth_scim_create_group',
        text: 'INSERT INTO auth.scim_group (id, display_name, external_id) VALUES ($1, $2, $3)',
        values: [id, displayName, externalId],
      });
    },

    /** Writes name and external id, and raises the version. */
    async change(
      runner: StatementRunner,
      id: string,
      { displayName, externalId }: Pick<StoredGroup, 'displayName' | 'externalId'>,
    ): Promise<void> {
      await runner.query({
        name: 'auth_scim_change_group',
        text: `UPDATE auth.scim_group SET display_name = $2, external_id = $3, version = version + 1, changed_at = now()
WHERE id = $1`,
        values: [id, displayName, externalId],
      });
    },

    /**
     * Adds users. Returns those that were no members before; users that SCIM did not create get a record.
     *
     * @throws ScimFailure invalidValue if one of them is not there
     */
    async add(runner: StatementRunner, id: string, userIds: readonly string[]): Promise<readonly string[]> {
      if (userIds.length === 0) return [];
      const known = await runner.query<{ readonly id: string }>({
        name: 'auth_scim_known_members',
        text: `SELECT u.id FROM ${USER_SOURCE} WHERE ${VISIBLE} AND u.id = ANY($2::uuid[])`,
        values: [linksExisting, userIds],
      });
      const ids = new Set(known.map((row) => row.id));
      const missing = userIds.find((each) => !ids.has(each));
      if (missing !== undefined) throw badRequest('invalidValue', `members: there is no user ${missing}`);
      await runner.query({
        name: 'auth_scim_adopt_members',
        text: `INSERT INTO auth.scim_user (user_id) SELECT unnest($1::uuid[]) ON CONFLICT DO NOTHING`,
        values: [userIds],
      });
      const rows = await runner.query<{ readonly user_id: string }>({
        name: 'auth_scim_add_members',
        text: `INSERT INTO auth.scim_member (group_id, user_id) SELECT $1, unnest($2::uuid[])
ON CONFLICT DO NOTHING RETURNING user_id`,
        values: [id, userIds],
      });
      return rows.map(({ user_id: userId }) => userId);
    },

    /** Removes users; returns those that were members. */
    async remove(runner: StatementRunner, id: string, userIds: readonly string[]): Promise<readonly string[]> {
      const rows = await runner.query<{ readonly user_id: string }>({
        name: 'auth_scim_remove_members',
        text: 'DELETE FROM auth.scim_member WHERE group_id = $1 AND user_id = ANY($2::uuid[]) RETURNING user_id',
        values: [id, userIds],
      });
      return rows.map(({ user_id: userId }) => userId);
    },

    /** Removes all members except some; returns those that were removed. */
    async removeOthers(runner: StatementRunner, id: string, userIds: readonly string[]): Promise<readonly string[]> {
      const rows = await runner.query<{ readonly user_id: string }>({
        name: 'auth_scim_remove_other_members',
        text: 'DELETE FROM auth.scim_member WHERE group_id = $1 AND user_id NOT IN (SELECT unnest($2::uuid[])) RETURNING user_id',
        values: [id, userIds],
      });
      return rows.map(({ user_id: userId }) => userId);
    },

    /** Raises the versions of users whose groups have changed. */
    async revise(runner: StatementRunner, userIds: readonly string[]): Promise<void> {
      if (userIds.length === 0) return;
      await runner.query({
        name: 'auth_scim_revise_members',
        // In the order of the ids, so that concurrent changes wait for each other.
        text: `WITH locked AS MATERIALIZED (
  SELECT user_id FROM auth.scim_user WHERE user_id = ANY($1::uuid[]) ORDER BY user_id FOR UPDATE
)
UPDATE auth.scim_user AS s SET revision = s.revision + 1 FROM locked WHERE s.user_id = locked.user_id`,
        values: [userIds],
      });
    },

    async memberIds(runner: StatementRunner, id: string): Promise<readonly string[]> {
      const rows = await runner.query<{ readonly user_id: string }>({
        name: 'auth_scim_member_ids',
        text: 'SELECT user_id FROM auth.scim_member WHERE group_id = $1',
        values: [id],
      });
      return rows.map(({ user_id: userId }) => userId);
    },

    /** Removes a group with its memberships. */
    async delete(runner: StatementRunner, id: string): Promise<void> {
      await runner.query({
        name: 'auth_scim_delete_group',
        text: 'DELETE FROM auth.scim_group WHERE id = $1',
        values: [id],
      });
    },
  };
}

export type GroupStore = ReturnType<typeof createGroupStore>;
