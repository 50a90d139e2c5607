import { firstRowOf, rowsOf, type StatementRunner, utcText } from '@lintel/persistence';
import { type AttributeColumn, compileFilter } from '../filters/compile-filter.ts';
import { compileOrder } from '../filters/compile-order.ts';
import { badRequest } from '../protocol/scim-failure.ts';
import type { ListRequest, Page } from '../requests/list-request.ts';
import { createMemberStore } from './member-store.ts';

const MEMBERSHIP = 'SELECT FROM auth.scim_member AS f WHERE f.group_id = g.id';

/** Attributes of groups in filters and as sort keys. */
export const GROUP_COLUMNS: ReadonlyMap<string, AttributeColumn> = new Map<string, AttributeColumn>([
  ['id', { sql: 'g.id', kind: 'id' }],
  ['externalid', { sql: 'g.external_id', kind: 'exact' }],
  ['displayname', { sql: 'g.display_name', kind: 'text' }],
  ['members', { sql: 'f.user_id', kind: 'relation', from: MEMBERSHIP }],
  ['members.value', { sql: 'f.user_id', kind: 'relation', from: MEMBERSHIP }],
  ['meta.created', { sql: 'g.created_at', kind: 'date' }],
  ['meta.lastmodified', { sql: 'g.changed_at', kind: 'date' }],
]);

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

const jsonOf = (members: string): string => `json_build_object('id', g.id, 'displayName', g.display_name,
  'externalId', g.external_id, 'version', g.version,
  'created', ${utcText('g.created_at')},
  'lastModified', ${utcText('g.changed_at')},
  'members', ${members})`;

const MEMBERS = `(SELECT coalesce(json_agg(json_build_object('id', u.id, 'name', coalesce(m.display, u.username)) ORDER BY u.id), '[]')
  FROM auth.scim_member AS m JOIN sec."user" AS u ON u.id = m.user_id WHERE m.group_id = g.id)`;

const membersIf = (isIncluded: boolean): string => (isIncluded ? MEMBERS : 'NULL');

interface ListRow {
  readonly total: number;
  /** Null if the groups of the page have too many members. */
  readonly items: string | null;
}

function listStatement(request: ListRequest, hasMembers: boolean) {
  const values: unknown[] = [];
  const condition = request.filter === undefined ? 'true' : compileFilter(request.filter, GROUP_COLUMNS, values);
  const { key, order } = compileOrder(request, GROUP_COLUMNS);
  const offset = `$${values.push(request.startIndex - 1)}::bigint`;
  const limit = `$${values.push(request.count)}::bigint`;
  const items = `(SELECT coalesce(json_agg(${jsonOf(membersIf(hasMembers))} ORDER BY page.number), '[]')
    FROM page JOIN auth.scim_group AS g ON g.id = page.id)::text`;
  const isSmall = `(SELECT count(*) FROM (SELECT FROM auth.scim_member AS m JOIN page ON page.id = m.group_id
    LIMIT ${MAX_LISTED_MEMBERS + 1}) AS listed) <= ${MAX_LISTED_MEMBERS}`;
  return {
    costName: 'auth_scim_groups',
    text: `WITH matched AS MATERIALIZED (SELECT g.id, ${key} AS sort FROM auth.scim_group AS g WHERE ${condition}),
page AS MATERIALIZED (SELECT id, row_number() OVER (ORDER BY ${order}) AS number FROM matched ORDER BY ${order} OFFSET ${offset} LIMIT ${limit})
SELECT (SELECT count(*)::int FROM matched) AS total,
  ${hasMembers ? `CASE WHEN ${isSmall} THEN ${items} END` : items} AS items`,
    values,
  };
}

const CREATE = 'INSERT INTO auth.scim_group (id, display_name, external_id) VALUES ($1, $2, $3)';
const CHANGE = `UPDATE auth.scim_group SET display_name = $2, external_id = $3, version = version + 1, changed_at = now()
WHERE id = $1`;
const DELETE = 'DELETE FROM auth.scim_group WHERE id = $1';

/** Statements about groups and their members; each list is one. */
export function createGroupStore(linksExisting: boolean) {
  return {
    ...createMemberStore(linksExisting),

    /** @throws ScimFailure tooMany if the groups of the page have too many members */
    async list(runner: StatementRunner, request: ListRequest, hasMembers: boolean): Promise<Page<StoredGroup>> {
      const [row] = await runner.query<ListRow>(listStatement(request, hasMembers));
      if (row?.items === null)
        throw badRequest(
          'tooMany',
          `The groups have more than ${MAX_LISTED_MEMBERS} members; use excludedAttributes=members or a smaller count`,
        );
      return { total: row?.total ?? 0, items: JSON.parse(row?.items ?? '[]') as StoredGroup[] };
    },

    async find(runner: StatementRunner, id: string, hasMembers: boolean): Promise<StoredGroup | undefined> {
      const name = `auth_scim_group${hasMembers ? '_members' : ''}`;
      const text = `SELECT ${jsonOf(membersIf(hasMembers))}::text AS item FROM auth.scim_group AS g WHERE g.id = $1`;
      const row = await firstRowOf<{ readonly item: string }>(runner, name, text, [id]);
      return row === undefined ? undefined : (JSON.parse(row.item) as StoredGroup);
    },

    async create(runner: StatementRunner, id: string, displayName: string, externalId: string | null): Promise<void> {
      await rowsOf(runner, 'auth_scim_create_group', CREATE, [id, displayName, externalId]);
    },

    /** Writes name and external id, and raises the version. */
    async change(
      runner: StatementRunner,
      id: string,
      { displayName, externalId }: Pick<StoredGroup, 'displayName' | 'externalId'>,
    ): Promise<void> {
      await rowsOf(runner, 'auth_scim_change_group', CHANGE, [id, displayName, externalId]);
    },

    /** Removes a group with its memberships. */
    async delete(runner: StatementRunner, id: string): Promise<void> {
      await rowsOf(runner, 'auth_scim_delete_group', DELETE, [id]);
    },
  };
}

export type GroupStore = ReturnType<typeof createGroupStore>;
