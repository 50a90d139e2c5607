import { plainText, type SearchedText, searchVector } from '@lintel/metadata';
import type { Parameter } from '../plan/parameter.ts';
import type { SearchedColumn, SearchPlan } from '../plan/search-plan.ts';
import { quoteConstant, type StatementText } from './statement-text.ts';
import { writeColumn, writeTable } from './write-condition.ts';

/** Factor of the similarity of a text, beside the rank of its words. */
const SIMILARITY_WEIGHT = 0.1;

const textsOf = (columns: readonly SearchedColumn[]): readonly SearchedText[] =>
  columns.map(({ column, search }) => ({ text: writeColumn(column), search }));

/** The searched words in each language of the columns. */
export function writeQueries(
  columns: readonly SearchedColumn[],
  query: Parameter,
  statement: StatementText,
): readonly string[] {
  const languages = [...new Set(columns.map(({ search }) => search.language))];
  const parameter = statement.parameter(query);
  return languages.map((language) => `to_tsquery('pg_catalog.${language}', ${parameter})`);
}

/** The searched words as words of each language of the columns: words of one language are found by its stems. */
export const writeSearchQuery = (...searched: Parameters<typeof writeQueries>): string =>
  `(${writeQueries(...searched).join(' || ')})`;

/** Rows that show whether many have the beginning of a word; rows that are a few, which are a hundredth of the table. */
const SAMPLE = { rows: 40, frequent: 10 } as const;
const FEW = 10_000;

/** The words of all columns of the index of an entity: its expression, so that the index serves the condition. */
const writeVector = ({ columns, indexed }: SearchPlan): string =>
  `(${searchVector(textsOf(indexed?.columns ?? columns))})`;

/** The rows that a search finds. */
export function writeSearch(search: SearchPlan, statement: StatementText): string {
  const { columns, query, indexed, isWhole } = search;
  const words = `(${searchVector(textsOf(columns))}) @@ ${writeSearchQuery(columns, query, statement)}`;
  // Rows that may be similar are all tested, and tables that others are read instead of have no index.
  const hasIndex = statement.tableInSql === undefined && !(isWhole && similarOf(columns).length > 0);
  if (search.parts === undefined || !hasIndex) {
    if (indexed === undefined) return writeOrSimilar(words, search, statement);
    const all = `${writeVector(search)} @@ ${writeSearchQuery(indexed.columns, indexed.query, statement)}`;
    return writeOrSimilar(`(${all} AND ${words})`, search, statement);
  }
  const { isFrequent, hasOthers, others, all, by, rowsBy, few } = writeParts(search, search.parts, statement);
  if (isWhole) {
    const found = `${writeVector(search)} @@ (SELECT ${all()})`;
    return writeOrSimilar(indexed === undefined ? found : `(${found} AND ${words})`, search, statement);
  }
  const isByOthers = `${isFrequent()} AND ${hasOthers()} AND NOT EXISTS (${rowsBy(`(SELECT ${others()})`)} OFFSET ${few})`;
  const test = writeTest(search, `(SELECT ${isByOthers})`, statement);
  return `(${by(`(SELECT CASE WHEN ${isByOthers} THEN ${others()} ELSE ${all()} END)`)} AND ${test})`;
}

/**
 * Parts of a search for its index, which collects all rows with a beginning of a word before it returns the first one:
 * if many of the first rows have it, rows with the other words are tested instead. In a subquery, words are unknown to the
 * planner, which would expect too many rows with a beginning.
 */
export function writeParts(search: SearchPlan, parts: NonNullable<SearchPlan['parts']>, statement: StatementText) {
  const { columns, query } = search.indexed ?? search;
  const alias = columns[0]?.column.alias ?? '';
  const table = writeTable(parts.table, statement);
  const by = (words: string): string => writeOrSimilar(`${writeVector(search)} @@ ${words}`, search, statement);
  const others = (): readonly string[] => writeQueries(columns, parts.others, statement);
  return {
    alias,
    isFrequent(): string {
      const last = `${writeVector(search)} @@ ${writeSearchQuery(columns, parts.last, statement)}`;
      const first = `(SELECT * FROM ${table} LIMIT ${SAMPLE.rows})`;
      return `(SELECT count(*) >= ${SAMPLE.frequent} FROM ${first} ${alias} WHERE ${last})`;
    },
    // A language may have none of the words: then all rows have the others in it.
    hasOthers: (): string =>
      others()
        .map((words) => `numnode(${words}) > 0`)
        .join(' AND '),
    others: (): string => `(${others().join(' || ')})`,
    all: (): string => writeSearchQuery(columns, query, statement),
    /** Tests by the index whether a row has words, or is similar. */
    by,
    /** Rows that the index finds. */
    rowsBy: (words: string): string => `SELECT * FROM ${table} ${alias} WHERE ${by(words)}`,
    few: `(SELECT least(${FEW}, reltuples / 100)::bigint FROM pg_class WHERE oid = ${quoteConstant(table)}::regclass)`,
  };
}

/** The test of a row that the index finds: by a part of the words, or by all of them, of which columns may be hidden. */
export function writeTest(search: SearchPlan, isByPart: string, statement: StatementText): string {
  const { columns, query, indexed } = search;
  const words = `(${searchVector(textsOf(columns))}) @@ ${writeSearchQuery(columns, query, statement)}`;
  const test = writeOrSimilar(words, search, statement);
  return indexed === undefined ? `CASE WHEN ${isByPart} THEN ${test} ELSE TRUE END` : test;
}

function writeOrSimilar(words: string, { columns, text }: SearchPlan, statement: StatementText): string {
  if (similarOf(columns).length === 0) return words;
  const searched = statement.parameter(text);
  // The index finds texts that are similar as a whole; of these, each word must be similar to one of the text.
  const each = `unnest(string_to_array(${searched}, ' ')) word`;
  const similar = similarOf(columns).map(
    (column) => `(${column} %> ${searched} AND (SELECT bool_and(word <% ${column}) FROM ${each}))`,
  );
  return `(${[words, ...similar].join(' OR ')})`;
}

/** The rank of a row that is found: by the weights and frequencies of the words, and similarity. */
export function writeRank({ columns, query, text }: SearchPlan, statement: StatementText): string {
  if (columns.length === 0) return '0::real';
  const words = `ts_rank(${searchVector(textsOf(columns))}, ${writeSearchQuery(columns, query, statement)})`;
  const similar = similarOf(columns).map((column) => `word_similarity(${statement.parameter(text)}, ${column})`);
  if (similar.length === 0) return words;
  return `(${words} + ${SIMILARITY_WEIGHT} * coalesce(greatest(${similar.join(', ')}), 0))::real`;
}

const similarOf = (columns: readonly SearchedColumn[]): readonly string[] =>
  columns.filter(({ search }) => search.typos).map(({ column }) => plainText(writeColumn(column)));
