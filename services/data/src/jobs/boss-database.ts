import type { Database } from '@lintel/persistence';
import type { Db } from 'pg-boss';

type Row = Record<string, unknown>;

/** Columns that the library reads as times, as JSON and as lists of ids; the platform reads all as texts. */
const TIME = /On$/;
const JSON_COLUMNS: ReadonlySet<string> = new Set(['data', 'options', 'output']);
/** The runs that a statement has changed: without them a heartbeat takes its run for one that was cancelled. */
const IDS = 'ids';

const parsed = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (typeof value !== 'string') return [name, value];
      if (JSON_COLUMNS.has(name)) return [name, JSON.parse(value)];
      if (name === IDS) return [name, value.slice(1, -1).split(',')];
      return [name, TIME.test(name) ? new Date(value) : value];
    }),
  );

/** The ends of statements, and what may contain their sign. */
const PARTS = /'(?:[^']|'')*'|(\$[a-z]*\$)[\s\S]*?\1|--[^\n]*|;/g;

/** The statements of a text that is a whole transaction; undefined for a text that is one statement. */
function statementsOf(text: string): readonly string[] | undefined {
  if (!text.trimStart().startsWith('BEGIN')) return undefined;
  const ends = [...text.matchAll(PARTS)].filter(([part]) => part === ';').map(({ index }) => index);
  return [...ends, text.length]
    .map((end, at) => text.slice(at === 0 ? 0 : (ends[at - 1] ?? 0) + 1, end).trim())
    .filter((statement) => statement !== '' && statement !== 'BEGIN' && statement !== 'COMMIT');
}

/** The database as pg-boss uses it: with texts of whole transactions, parsed values, and the errors of the driver. */
export const bossDatabase = (database: Database): Db => ({
  async executeSql(text, values = []) {
    try {
      const statements = statementsOf(text);
      const rows =
        statements === undefined
          ? await database.query<Row>({ text, values })
          : await database.transaction(async (transaction) => {
              const all: Row[] = [];
              for (const one of statements) all.push(...(await transaction.query<Row>({ text: one, values: [] })));
              return all;
            });
      return { rows: rows.map(parsed) };
    } catch (error) {
      throw error instanceof Error && error.cause instanceof Error ? error.cause : error;
    }
  },
});
