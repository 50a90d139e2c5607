import { plainText, type SearchedText, searchVector } from '@lintel/metadata';
import type { Parameter } from '../plan/parameter.ts';
import type { SearchedColumn, SearchPlan } from '../plan/search-plan.ts';
import type { StatementText } from './statement-text.ts';
import { writeColumn } from './write-condition.ts';

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

/** The expressions of the indexes of the entity, so that they serve the condition. */
export function writeSearch({ columns, query, text, indexed }: SearchPlan, statement: StatementText): string {
  const tests = [...(indexed === undefined ? [] : [indexed]), { columns, query }].map(
    (each) => `(${searchVector(textsOf(each.columns))}) @@ ${writeSearchQuery(each.columns, each.query, statement)}`,
  );
  const words = tests.length === 1 ? tests.join() : `(${tests.join(' AND ')})`;
  const searched = similarOf(columns).length === 0 ? '' : statement.parameter(text);
  // The index finds texts that are similar as a whole; of these, each word must be similar to one of the text.
  const each = `unnest(string_to_array(${searched}, ' ')) word`;
  const similar = similarOf(columns).map(
    (column) => `(${column} %> ${searched} AND (SELECT bool_and(word <% ${column}) FROM ${each}))`,
  );
  return similar.length === 0 ? words : `(${[words, ...similar].join(' OR ')})`;
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
