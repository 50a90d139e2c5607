import { type AttributeSearch, plainText, WORD_AND_GAP } from '@lintel/metadata';
import type { HighlightsPlan } from '../plan/search-plan.ts';
import { quoteConstant, type StatementText } from './statement-text.ts';
import { writeColumn } from './write-condition.ts';
import { writeSearchQuery } from './write-search.ts';

/** Characters of a text that are searched for words to show. */
const READ_CHARACTERS = 5_000;
/** Characters between two words that are shown. */
const GAP_CHARACTERS = 50;
/** Characters that no word in plain form has separate the parts. */
const OPTIONS = 'StartSel=<,StopSel=>,FragmentDelimiter=|,MaxFragments=2,MaxWords=16,MinWords=4,ShortWord=0';

/**
 * The JSON of the parts of texts that have words of a search: `[{"attribute": …, "fragments": [["…", "word", "…"]]}]`.
 * Every second text of a fragment is a word that is found, so that nothing in a text is taken for markup.
 */
export function writeHighlights(texts: HighlightsPlan, statement: StatementText): string {
  const found = texts.map(({ attribute, column, search, query }) => {
    const text = `left(${writeColumn(column)}, ${READ_CHARACTERS})`;
    const fragments = writeFragments(text, search, writeSearchQuery(texts, query, statement));
    return `SELECT ${quoteConstant(attribute.name)} AS "attribute", ${fragments} AS "fragments"`;
  });
  return `(SELECT array_to_json(array_agg(h)) FROM (${found.join(' UNION ALL ')}) h WHERE h."fragments" IS NOT NULL)`;
}

/**
 * PostgreSQL finds the words in the plain form of a text. They are shown as the text has them: both forms have the same
 * words in the same order.
 */
function writeFragments(text: string, { language }: AttributeSearch, query: string): string {
  const forms = `SELECT ' ' || btrim(${plainText(text)}) || ' ' AS plain, translate(normalize(${text}, NFKD), chr(1), ' ') AS whole`;
  const headline = `ts_headline('pg_catalog.${language}', btrim(x.plain), ${query}, '${OPTIONS}')`;
  const before = `length(regexp_replace(left(x.plain, strpos(x.plain, ' ' || translate(h.part, '<>', '') || ' ')), '[^ ]+', '', 'g'))`;
  const word = `CASE WHEN m.word LIKE '%<%' THEN chr(1) || o.word[1] || chr(1) ELSE o.word[1] END || left(o.word[2], ${GAP_CHARACTERS})`;
  const parts = [
    // Without OFFSET the planner would compute both forms, and the number of words, for each pair of words again.
    `(${forms} OFFSET 0) x`,
    `regexp_split_to_table(${headline}, '[|]') WITH ORDINALITY h(part, at)`,
    `LATERAL (SELECT ${before} AS words OFFSET 0) b`,
    `unnest(string_to_array(h.part, ' ')) WITH ORDINALITY m(word, at)`,
    `regexp_matches(x.whole, '${WORD_AND_GAP}', 'g') WITH ORDINALITY o(word, at)`,
  ];
  const where = `h.part LIKE '%<%' AND b.words > 0 AND o.at = b.words + m.at - 1`;
  const part = `SELECT h.at, string_agg(${word}, '' ORDER BY m.at) AS text FROM ${parts.join(', ')} WHERE ${where} GROUP BY h.at`;
  return `(SELECT array_to_json(array_agg(array_to_json(string_to_array(normalize(p.text, NFC), chr(1))) ORDER BY p.at)) FROM (${part}) p)`;
}
