import { historyTablesOf, type Model, quoteIdentifier, quoteTable } from '@lintel/metadata';
import type { Database, Transaction } from '@lintel/persistence';
import { quoteConstant } from '@lintel/query';
import { fileLockSql } from '@lintel/reading';
import { type FileColumn, fileColumnsOf } from './file-columns.ts';

/** What refers to files: rows of entities, deleted and recorded ones too, versions of reports and their runs. */
export interface FileReferences {
  /** Those of the keys (`<storage>://<path>`) that something refers to. */
  referenced(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Declares files as removed unless something refers to them, or begins to refer to them now: writes refuse references
   * to them from then on.
   *
   * @returns the keys that may be removed
   */
  claim(keys: readonly string[]): Promise<ReadonlySet<string>>;
}

type Queries = Pick<Database | Transaction, 'query'>;

/** No transaction that refers to a file lasts as long; an older claim is of no use. */
const CLAIMED_FOR = '1 day';

export interface FileReferencesOptions {
  readonly model: Model;
  readonly database: Pick<Database, 'query' | 'transaction'>;
  /** Whether tables of the application are in another database, where they are only read. */
  readonly isSplit: boolean;
}

export function createFileReferences({ model, database, isSplit }: FileReferencesOptions): FileReferences {
  const columns = fileColumnsOf(model);
  const recorded = new Set(historyTablesOf(model).map(quoteTable));
  const inHistory = columns.filter(({ table }) => recorded.has(quoteTable(table))).map(recordedReferencesIn);
  const find = async (keys: readonly string[], queries: Queries): Promise<ReadonlySet<string>> => {
    const found = new Set<string>();
    for (const text of [...columns.map(referencesIn), ...OF_PLATFORM, ...inHistory]) {
      const open = keys.filter((key) => !found.has(key));
      if (open.length === 0) break;
      const rows = await queries.query<{ readonly key: string }>({ text, values: [open] });
      for (const { key } of rows) found.add(key);
    }
    return found;
  };
  return {
    referenced: async (keys) => await find(keys, database),
    claim: async (keys) =>
      await database.transaction(async (transaction) => {
        const sorted = [...new Set(keys)].sort();
        const locked = await transaction.query<{ readonly key: string }>({
          name: 'data_lock_removed_files',
          text: fileLockSql('removal'),
          values: [sorted],
        });
        const free = locked.map(({ key }) => key);
        // A statement after the locks: it sees the references of all transactions that had them before.
        const referenced = await find(free, isSplit ? database : transaction);
        const claimed = free.filter((key) => !referenced.has(key));
        await transaction.query({
          name: 'data_forget_removed_files',
          text: `DELETE FROM sys.removed_file WHERE removed_at < now() - interval '${CLAIMED_FOR}'`,
          values: [],
        });
        await transaction.query({
          name: 'data_claim_removed_files',
          text: 'INSERT INTO sys.removed_file (file_key) SELECT unnest($1::text[])',
          values: [claimed],
        });
        return new Set(claimed);
      }),
  };
}

const keyIn = (reference: string): string => `split_part(${reference}, '?', 1)`;

const keysIn = (reference: string, rows: string): string =>
  `SELECT DISTINCT ${keyIn(reference)} AS key FROM ${rows} WHERE ${keyIn(reference)} = ANY ($1::text[])`;

const referencesIn = ({ table, column, isArray }: FileColumn): string => {
  const [rows, value] = [`${quoteTable(table)} t`, `t.${quoteIdentifier(column)}`];
  return isArray ? keysIn('f.value', `${rows}, unnest(${value}) AS f (value)`) : keysIn(value, rows);
};

/** References in former rows, which can be read and restored. */
const recordedReferencesIn = ({ table: { schema, name }, column, isArray }: FileColumn): string => {
  const rows = `history.entry e, LATERAL (VALUES (e.before), (e.after)) AS v (state)`;
  const value = `v.state -> ${quoteConstant(column)}`;
  const elements = `jsonb_array_elements_text(CASE WHEN jsonb_typeof(${value}) = 'array' THEN ${value} END) AS f (value)`;
  const [reference, from] = isArray
    ? ['f.value', `${rows}, ${elements}`]
    : [`v.state ->> ${quoteConstant(column)}`, rows];
  return `${keysIn(reference, from)} AND e.source = ${quoteConstant(`${schema}.${name}`)}`;
};

/**
 * What is in no entity: versions of reports (contract/reports.md#versions), and documents of runs in the background.
 */
const OF_PLATFORM: readonly string[] = [
  `SELECT DISTINCT ${keyIn(`f ->> 'content'`)} AS key
FROM report.report_version v, jsonb_array_elements(v.content -> 'templates') f
WHERE ${keyIn(`f ->> 'content'`)} = ANY ($1::text[])`,
  `SELECT DISTINCT ${keyIn(`result ->> 'fileRef'`)} AS key FROM report_run.run
WHERE ${keyIn(`result ->> 'fileRef'`)} = ANY ($1::text[])`,
];

/** The key of a file of a storage. */
export const keyOfFile = ({ storage, path }: { readonly storage: string; readonly path: string }): string =>
  `${storage}://${path}`;
