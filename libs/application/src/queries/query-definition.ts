import { StartError } from '@lintel/errors';
import type { QueryParameter, SelectQuery } from '@lintel/query';

/** A predefined query as an application team writes it (specification 2.14). */
export interface QueryDefinition {
  /** Unique among the entity's queries. */
  readonly name: string;
  /** Name of the entity whose instances are answered, and below which the query is called. */
  readonly entity: string;
  /** Text in the entity query language. */
  readonly text: string;
  /** Name of the fetch plan that instances are shown by; a query that selects values has none. */
  readonly fetchPlan?: string;
  /**
   * Types by parameter name: a datatype or its Java class, or an enum; with `[]` a collection. All must be
   * given by each request.
   */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Answers may be kept until an entity of the query changes. */
  readonly cacheable?: boolean;
  /** Greatest number of rows, where the request gives none. */
  readonly limit?: number;
  /** Zero-based position of the first row, where the request gives none. */
  readonly offset?: number;
  /** Told to clients, as in the reference; whether a call needs a token, URL patterns decide. */
  readonly anonymousAllowed?: boolean;
}

/** Defines a predefined query. */
export const predefinedQuery = (
  entity: string,
  name: string,
  definition: Omit<QueryDefinition, 'name' | 'entity'>,
): QueryDefinition => Object.freeze({ entity, name, ...definition });

/** A predefined query bound to the model. */
export interface PredefinedQuery extends QueryDefinition {
  /** Equal for equal queries of one model only. */
  readonly key: string;
  readonly select: SelectQuery;
  /** In the order of the definition. */
  readonly declared: readonly (QueryParameter & { readonly typeName: string })[];
  readonly answers: 'instances' | 'values';
  /** Names of the entities that the answer depends on, besides those that the fetch plan shows. */
  readonly entities: readonly string[];
}

/** Predefined queries by entity and name. */
export type PredefinedQueries = ReadonlyMap<string, ReadonlyMap<string, PredefinedQuery>>;

/** A predefined query that cannot be read or contradicts the model; the message names the place. */
export class QueryDefinitionError extends StartError {
  constructor(where: string, problem: string, options?: ErrorOptions) {
    super(`${where}: ${problem}`, options);
    this.name = 'QueryDefinitionError';
  }
}
