/** A condition that every row satisfies. The database checks it; a violation returns 400 at the attributes that it names. */
export interface EntityCheck {
  /** SQL, with attributes in braces: `{startsAt} < {endsAt}`. */
  readonly condition: string;
  /** Text of the violation; by default the message `<Entity>.<name of the check>`. */
  readonly message?: string;
}

/** Instances whose values are equal and whose periods overlap exclude each other: 409. */
export interface EntityExclusion {
  /** Attributes whose values must be equal. */
  readonly equal?: readonly string[];
  /** The attributes with the start and the end of the period; null is open. */
  readonly period: readonly [start: string, end: string];
  /** Whether the end belongs to the period; without it, a period that ends where it starts excludes nothing. */
  readonly endIncluded?: boolean;
  /** Only rows that satisfy this condition in SQL, with attributes in braces. */
  readonly where?: string;
  /** Text of the violation; by default the message `<Entity>.<name of the exclusion>`. */
  readonly message?: string;
}

/** An index besides those of unique attributes and of references. */
export interface EntityIndex {
  /** Names of the attributes, in the order of the index; of an index with an expression, those that it is about. */
  readonly attributes: readonly string[];
  /** Whether two instances with equal values are refused (409). */
  readonly unique: boolean;
  /**
   * Serves `startsWith` on the one text attribute it names, ignoring case; an index without it serves
   * equality and order.
   */
  readonly search?: boolean;
  /** SQL that is indexed instead of the attributes, with attributes in braces: `lower({name})`. */
  readonly expression?: string;
  /** Only rows that satisfy this condition in SQL, with attributes in braces. */
  readonly where?: string;
  /** Access method; `btree` by default. */
  readonly method?: 'btree' | 'hash' | 'gin' | 'gist' | 'spgist' | 'brin';
  /** Operator class of each column: `gin_trgm_ops`. */
  readonly operatorClass?: string;
  /** Of a unique index: the text of a violation. */
  readonly message?: string;
}

const ATTRIBUTE = /\{([A-Za-z_]\w*(?:\.\w+)*)\}/g;

/** The attributes in braces of a text in SQL, each once. */
export const attributesIn = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(ATTRIBUTE)].map(([, path = '']) => path)),
];

/** The text with something else instead of each attribute in braces. */
export const withAttributes = (text: string, replace: (path: string) => string): string =>
  text.replace(ATTRIBUTE, (_whole, path: string) => replace(path));
