import type { Attribute, DatatypeAttribute, ReferenceAttribute } from './attribute.ts';

/** Configurations of text search that every PostgreSQL has; `simple` knows no stems and no stop words. */
export const SEARCH_LANGUAGES = [
  ...([
    'simple',
    'arabic',
    'armenian',
    'basque',
    'catalan',
    'danish',
    'dutch',
    'english',
    'finnish',
    'french',
  ] as const),
  ...(['german', 'greek', 'hindi', 'hungarian', 'indonesian', 'irish', 'italian', 'lithuanian', 'nepali'] as const),
  ...(['norwegian', 'portuguese', 'romanian', 'russian', 'serbian', 'spanish', 'swedish', 'tamil'] as const),
  ...(['turkish', 'yiddish'] as const),
] as const;

export type SearchLanguage = (typeof SEARCH_LANGUAGES)[number];

/** Search by a text attribute. */
export interface AttributeSearch {
  /** Rank of matches, from `A`, the highest, to `D`. */
  readonly weight: 'A' | 'B' | 'C' | 'D';
  /** Configuration with the stems and stop words. */
  readonly language: SearchLanguage;
  /** The last word also finds words that begin with it. */
  readonly prefix: boolean;
  /** Texts that are similar to what is searched are found, too. */
  readonly typos: boolean;
}

export type SearchableAttribute = DatatypeAttribute & { readonly search: AttributeSearch };

/** The attributes in which instances are searched, inherited ones included. */
export const searchableOf = ({
  attributes,
}: {
  readonly attributes: ReadonlyMap<string, Attribute>;
}): readonly SearchableAttribute[] => [...attributes.values()].filter(isSearchable);

/** The references by whose targets instances are found, inherited ones included. */
export const searchedReferencesOf = ({
  attributes,
}: {
  readonly attributes: ReadonlyMap<string, Attribute>;
}): readonly ReferenceAttribute[] =>
  [...attributes.values()].filter(
    (attribute): attribute is ReferenceAttribute =>
      attribute.kind === 'reference' && attribute.search !== undefined && attribute.persistent,
  );

const isSearchable = (attribute: Attribute): attribute is SearchableAttribute =>
  attribute.kind === 'datatype' &&
  attribute.search !== undefined &&
  attribute.persistent &&
  !attribute.secret &&
  attribute.datatype === 'string' &&
  attribute.comparedAs === undefined;
