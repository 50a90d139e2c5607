import { PlatformError } from '@lintel/errors';
import type { Database, Statement, Transaction } from '@lintel/persistence';
import type { ListView } from './list-view.ts';

/** A user needs few; it is a limit of what one user can store. */
const MAX_VIEWS = 100;
/** All own views and as many shared ones; it bounds the response, of which each view may have 40,000 characters. */
const MAX_LISTED = 200;

const COLUMNS = `id::text AS id, owner, entity_name AS "entityName", name, content, question, is_shared AS shared, role_code AS role`;

/** Whose views are looked for. */
export interface ViewReader {
  readonly username: string;
  readonly resourceRoles: readonly string[];
}

/** Saved views of lists, in the database. */
export interface ListViewStore {
  /** Those of the reader, and those that are shared with all or with a role of the reader, by name. */
  list(reader: ViewReader, entityName: string | undefined): Promise<readonly ListView[]>;
  /** @throws PlatformError REQ_COST_EXCEEDED, DATA_UNIQUE_VIOLATION */
  create(view: ListView): Promise<void>;
  /**
   * Replaces a view of the owner; false if there is none with this id.
   *
   * @throws PlatformError DATA_UNIQUE_VIOLATION
   */
  update(view: ListView): Promise<boolean>;
  /** Deletes a view of the user, or a shared one of any user; false if there is none. */
  remove(id: string, username: string, withShared: boolean): Promise<boolean>;
}

/** A transaction for the views of one user at a time, so that parallel requests do not exceed the limit. */
const lockOf = (username: string): Statement => ({
  name: 'data_list_view_lock',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('sys.list_view ' || $1::text, 0))`,
  values: [username],
});

export function createListViewStore(database: Pick<Database, 'query' | 'transaction'>): ListViewStore {
  const write = async <T>(view: ListView, work: (transaction: Transaction) => Promise<T>): Promise<T> =>
    await database.transaction(async (transaction) => {
      await transaction.query(lockOf(view.owner));
      await assertFreeName(transaction, view);
      return await work(transaction);
    });
  return {
    list: async ({ username, resourceRoles }, entityName) =>
      await database.query<ListView>({
        name: 'data_list_views',
        text: `SELECT ${COLUMNS} FROM sys.list_view
WHERE (owner = $1 OR (is_shared AND (role_code IS NULL OR role_code = ANY ($2::text[]))))
  AND ($3::text IS NULL OR entity_name = $3)
ORDER BY owner <> $1, lower(name), id LIMIT ${MAX_LISTED}`,
        values: [username, resourceRoles, entityName ?? null],
      }),
    create: async (view) =>
      await write(view, async (transaction) => {
        const [row] = await transaction.query<{ readonly count: number }>({
          name: 'data_list_view_count',
          text: 'SELECT count(*)::int AS count FROM sys.list_view WHERE owner = $1',
          values: [view.owner],
        });
        if ((row?.count ?? 0) >= MAX_VIEWS)
          throw new PlatformError('REQ_COST_EXCEEDED', `A user has at most ${MAX_VIEWS} views`);
        await transaction.query({
          name: 'data_list_view_create',
          text: `INSERT INTO sys.list_view (id, owner, entity_name, name, content, is_shared, role_code, question)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
          values: valuesOf(view),
        });
      }),
    update: async (view) =>
      await write(view, async (transaction) => {
        const rows = await transaction.query({
          name: 'data_list_view_update',
          text: `UPDATE sys.list_view
SET entity_name = $3, name = $4, content = $5, is_shared = $6, role_code = $7, question = $8
WHERE id = $1 AND owner = $2 RETURNING 1 AS found`,
          values: valuesOf(view),
        });
        return rows.length > 0;
      }),
    async remove(id, username, withShared) {
      const rows = await database.query({
        name: 'data_list_view_remove',
        text: `DELETE FROM sys.list_view
WHERE id = $1 AND (owner = $2 OR ($3::boolean AND is_shared)) RETURNING 1 AS found`,
        values: [id, username, withShared],
      });
      return rows.length > 0;
    },
  };
}

const valuesOf = ({ id, owner, entityName, name, content, shared, role, question }: ListView): readonly unknown[] => [
  id,
  owner,
  entityName,
  name,
  content,
  shared,
  role,
  question ?? null,
];

async function assertFreeName(transaction: Transaction, { id, owner, entityName, name }: ListView): Promise<void> {
  const taken = await transaction.query({
    name: 'data_list_view_taken',
    text: 'SELECT 1 AS taken FROM sys.list_view WHERE owner = $1 AND entity_name = $2 AND name = $3 AND id <> $4',
    values: [owner, entityName, name, id],
  });
  if (taken.length > 0)
    throw new PlatformError('DATA_UNIQUE_VIOLATION', `name: the user has a view of ${entityName} with this name`);
}
