/** A schema of JSON Schema 2020-12, as OpenAPI 3.1 takes it. */
export type Schema = Readonly<Record<string, unknown>>;

export interface ParameterDescription {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  readonly schema: Schema;
  readonly required?: boolean;
}

export interface BodyDescription {
  readonly description: string;
  /** Schema by content type. */
  readonly content: Readonly<Record<string, Schema>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One operation of the API: the table that the OpenAPI documents are written from. */
export interface RouteDescription {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** Below the server's root, with `{parameters}`. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly parameters?: readonly ParameterDescription[];
  readonly request?: BodyDescription & { readonly required?: boolean };
  /** Answers by status; `errors` adds those of the platform's error shape. */
  readonly responses: Readonly<Record<string, BodyDescription>>;
  readonly errors?: readonly number[];
  /** `none` for operations without a token, `client` for those with client credentials; else a bearer token. */
  readonly security?: 'none' | 'client';
}

export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
export const listOf = (items: Schema): Schema => ({ type: 'array', items });
export const json = (
  description: string,
  schema: Schema,
  headers?: Readonly<Record<string, string>>,
): BodyDescription => ({
  description,
  content: { 'application/json': schema },
  ...(headers === undefined ? {} : { headers }),
});
export const empty = (description: string): BodyDescription => ({ description, content: {} });

export const STRING: Schema = { type: 'string' };
export const BOOLEAN: Schema = { type: 'boolean' };
export const COUNT: Schema = { type: 'integer', minimum: 0 };

export const inPath = (name: string, description: string): ParameterDescription => ({
  name,
  in: 'path',
  description,
  schema: STRING,
  required: true,
});
export const inQuery = (name: string, description: string, schema: Schema = STRING): ParameterDescription => ({
  name,
  in: 'query',
  description,
  schema,
});
/** Of the endpoints that take and answer instances (contract-entities-queries-services.md §7.5). */
export const MODEL_VERSION = inQuery('modelVersion', 'Earlier version of the model that the client speaks');
export const inHeader = (name: string, description: string): ParameterDescription => ({
  name,
  in: 'header',
  description,
  schema: STRING,
});
