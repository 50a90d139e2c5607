/** Kinds of what a model cannot express. */
export const ATTACHED_KINDS = [
  'statistics',
  'rule',
  'trigger',
  'policy',
  'row security',
  'setting',
  'privileges',
  'comment',
] as const;

export type AttachedKind = (typeof ATTACHED_KINDS)[number];

/** Kinds of table parts, in the order in which they can be created again. */
export const PART_KINDS = [
  'column',
  'primary key',
  'unique constraint',
  'check',
  'exclusion',
  'index',
  'foreign key',
  ...ATTACHED_KINDS,
] as const;

/** A part of a table, with everything that PostgreSQL needs to create it again. */
export interface TablePart {
  /** `schema.table`. */
  readonly table: string;
  readonly kind: (typeof PART_KINDS)[number];
  /** Name of the object; of a comment and of privileges the object that they belong to. */
  readonly name: string;
  /** The columns without which it does not exist. */
  readonly columns: readonly string[];
  /** Of a column its type, default and constraints; of a constraint its definition; else the whole statement. */
  readonly definition: string;
}
