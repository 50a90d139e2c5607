import { StartError } from '@lintel/errors';
import type { QueryParameter, SelectQuery } from '@lintel/query';
import type { Deprecation } from '../deprecation.ts';

/** A predefined query as an application team writes it (contract/queries.md#definitions). */
export interface QueryDefinition {
  /** Unique among the entity's queries. */
  readonly name: string;
  /** Name of the entity whose instances are returned; it is part of the path of the query. */
  readonly entity: string;
  /** Text in the entity query language. */
  readonly text: string;
  /** Name of the fetch plan for the instances; a query that selects values has none. */
  readonly fetchPlan?: string;
  /**
   * Types by parameter name: a datatype or its Java class, or an enum; with `[]` a collection. Each request
   * must have all of them.
   */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Results may be cached until an entity of the query changes. */
  readonly cacheable?: boolean;
  /** Maximum number of rows, if the request has no `limit`. */
  readonly limit?: number;
  /** Zero-based position of the first row, if the request has no `offset`. */
  readonly offset?: number;
  /** Published to clients in the reference; URL patterns decide whether a call needs a token. */
  readonly anonymousAllowed?: boolean;
  /** Announced to clients in headers and in the API documents. */
  readonly deprecated?: Deprecation;
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
  /** The parsed text. */
  readonly select: SelectQuery;
  /** In the order of the definition. */
  readonly declared: readonly (QueryParameter & { readonly typeName: string })[];
  /** Whether rows are instances, shown by a fetch plan, or objects with the selected values. */
  readonly returns: 'instances' | 'values';
  /** Names of the entities that the result depends on, in addition to those of the fetch plan. */
  readonly entities: readonly string[];
}

/** Predefined queries by entity and name. */
export type PredefinedQueries = ReadonlyMap<string, ReadonlyMap<string, PredefinedQuery>>;

/** A predefined query that cannot be read or contradicts the model; the message names the position. */
export class QueryDefinitionError extends StartError {
  constructor(where: string, problem: string, options?: ErrorOptions) {
    super(`${where}: ${problem}`, options);
    this.name = 'QueryDefinitionError';
  }
}
