import type { Attribute } from '../entities/attribute.ts';
import type { EntityIndex } from '../entities/entity-constraints.ts';
import { type AttributeSearch, type SearchableAttribute, searchableOf } from '../entities/searchable.ts';

/** Letters in lower case and digits of all scripts, by their ranges, so that no locale matters. */
const WORD_LETTERS = '0-9a-z\\u00c0-\\u1fff\\u2c00-\\u2dff\\u3005-\\u3007\\u3031-\\ud7ff\\uf900-\\uffef';
const BETWEEN_WORDS = `[^${WORD_LETTERS}]+`;
/** Marks of accents, which the decomposed form has apart from the letters. */
const ACCENTS = '[\\u0300-\\u036f]+';
/** Letters with strokes are not decomposed; of the two forms of a sigma one is used. */
const LETTERS = { from: 'øłđħς', to: 'oldhσ' } as const;

/** A text in SQL without accents, punctuation and upper case; `searchWords` does the same with what is searched. */
export const plainText = (text: string): string =>
  `regexp_replace(translate(regexp_replace(lower(normalize(${text}, NFKD)), '${ACCENTS}', '', 'g'), '${LETTERS.from}', '${LETTERS.to}'), '${BETWEEN_WORDS}', ' ', 'g')`;

/** A word of a decomposed text and what follows it, for SQL: `plainText` has the same words in the same order. */
export const WORD_AND_GAP = `((?!${ACCENTS.slice(0, -1)})[A-Z${WORD_LETTERS}]+)([^A-Z${WORD_LETTERS}]*)`;

const between = new RegExp(BETWEEN_WORDS, 'u');
const accents = new RegExp(ACCENTS, 'gu');
const letters = new RegExp(`[${LETTERS.from}]`, 'gu');

/** The words of what is searched, in the form of `plainText`. */
export const searchWords = (searched: string): readonly string[] =>
  searched
    .normalize('NFKD')
    .toLowerCase()
    .replace(accents, '')
    .replace(letters, (letter) => LETTERS.to[LETTERS.from.indexOf(letter)] ?? letter)
    .split(between)
    .filter((word) => word !== '');

/** A text in SQL, and how it is searched. */
export interface SearchedText {
  readonly text: string;
  readonly search: AttributeSearch;
}

/**
 * The `tsvector` of texts in SQL. A lexeme that no word is separates them: words that follow each other are words of one
 * text.
 */
export const searchVector = (texts: readonly SearchedText[]): string =>
  texts
    .map(
      ({ text, search: { language, weight } }) =>
        `setweight(to_tsvector('pg_catalog.${language}', coalesce(${plainText(text)}, '')), '${weight}')`,
    )
    .join(` || '.:1'::tsvector || `);

/**
 * The indexes by which an entity is searched: one of the words of all attributes, and one of the trigrams of each
 * attribute whose typing errors are found. Entities without own attributes use the indexes of their ancestors.
 */
export function searchIndexes(entity: string, attributes: ReadonlyMap<string, Attribute>): readonly EntityIndex[] {
  const searched = searchableOf({ attributes });
  const isOwn = ({ declaredBy }: SearchableAttribute): boolean => declaredBy === entity;
  const index = { unique: false, method: 'gin' } as const;
  const texts = searched.map(({ name, search }) => ({ text: `{${name}}`, search }));
  return [
    ...(searched.some(isOwn)
      ? [{ ...index, attributes: searched.map(({ name }) => name), expression: searchVector(texts) }]
      : []),
    ...searched
      .filter((attribute) => isOwn(attribute) && attribute.search.typos)
      .map(({ name }) => ({
        ...index,
        attributes: [name],
        expression: plainText(`{${name}}`),
        operatorClass: 'gin_trgm_ops',
      })),
  ];
}
