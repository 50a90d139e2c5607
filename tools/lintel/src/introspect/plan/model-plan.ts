import type { FoundTable } from '@lintel/schema';

/** What is to be written. The texts are TypeScript. */

/** Something of the database that the model does not say, or not as it is there. */
export interface Finding {
  /** `schema.table` */
  readonly table: string;
  readonly object:
    | 'table'
    | 'view'
    | 'column'
    | 'default'
    | 'foreign key'
    | 'index'
    | 'check'
    | 'exclusion'
    | 'trigger'
    | 'rule'
    | 'policy';
  /** Name inside the table; undefined for the table itself. */
  readonly name?: string;
  readonly reason: string;
}

/** A chain of calls: `string(20)`, `.mandatory()`. */
export interface AttributePlan {
  readonly name: string;
  readonly calls: readonly string[];
  readonly comment?: string | undefined;
}

export interface IndexPlan {
  readonly attributes: readonly string[];
  readonly unique: boolean;
  readonly search?: true;
}

export interface EnumPlan {
  /** `app.Mood` */
  readonly name: string;
  /** Name of the constant: `Mood`. */
  readonly constant: string;
  readonly values: readonly (readonly [name: string, id: string | number])[];
}

export interface EmbeddablePlan {
  readonly name: string;
  readonly constant: string;
  readonly attributes: readonly AttributePlan[];
}

export interface EntityPlan {
  readonly name: string;
  readonly constant: string;
  readonly builder: 'standardEntity' | 'softDeletedEntity' | 'keyedEntity' | 'keylessEntity';
  /** Members of the options before the attributes, as lines: `key: 'id',`. */
  readonly options: readonly string[];
  readonly key: EmbeddablePlan | undefined;
  readonly attributes: readonly AttributePlan[];
  /** Attributes that an instance is named after; empty for none. */
  readonly instanceName: readonly string[];
  readonly indexes: readonly IndexPlan[];
  readonly enums: readonly string[];
  readonly comment: string | undefined;
  readonly source: FoundTable;
}

export interface ModelPlan {
  readonly entities: readonly EntityPlan[];
  readonly enums: readonly EnumPlan[];
  readonly findings: readonly Finding[];
  /** All tables that the model was planned from, also those that are not in it. */
  readonly tables: readonly FoundTable[];
}

/** A text as a literal, quoted as the formatter would. */
export function literal(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
  return `${quote}${escaped.replaceAll(quote, `\\${quote}`)}${quote}`;
}

export const tableName = ({ schema, name }: Pick<FoundTable, 'schema' | 'name'>): string => `${schema}.${name}`;
