import { exampleOfSchema } from './example-of-schema.ts';

/** A schema of JSON Schema 2020-12, as OpenAPI 3.1 takes it. */
export type Schema = Readonly<Record<string, unknown>>;

/** A parameter of an operation. */
export interface ParameterDescription {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  readonly schema: Schema;
  readonly required?: boolean;
  readonly example?: unknown;
}

/** A request or response body, with the headers of the response. */
export interface BodyDescription {
  readonly description: string;
  /** Schema by content type. */
  readonly content: Readonly<Record<string, Schema>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of the JSON content. */
  readonly example?: unknown;
  /** By content type, where one has another example. */
  readonly examples?: Readonly<Record<string, unknown>>;
  /** An array of such values, or of an array one item, is accepted or returned, too. Generators cannot use a schema of both. */
  readonly isOneOrMany?: boolean;
  /** The response is a list, which is written in the forms of exports, too: generators take the type of JSON alone. */
  readonly isExported?: boolean;
}

/** One operation of the API: the table that the OpenAPI documents are written from. */
export interface RouteDescription {
  readonly method: 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete';
  /** Below the server of the document, with `{parameters}`; empty for requests that the API sends. */
  readonly path: string;
  /** Unique within a document. */
  readonly operationId: string;
  readonly tag: string;
  /** A few words. */
  readonly summary: string;
  /** Sentences in Markdown: what the operation does, and what its caller must know. */
  readonly description: string;
  /** Clients should not use it any more. */
  readonly deprecated?: boolean;
  readonly parameters?: readonly ParameterDescription[];
  readonly request?: BodyDescription & { readonly required?: boolean };
  /** Responses by status; `errors` adds those with the platform's error body that do not follow from the rest. */
  readonly responses: Readonly<Record<string, BodyDescription>>;
  readonly errors?: readonly number[];
  /** No caller with a token is refused: no 403. */
  readonly isForEveryUser?: boolean;
  /** `none` for operations without a token, `client` for those with client credentials; else a bearer token. */
  readonly security?: 'none' | 'client';
}

/** Describes operations with the tag: method, path and id come first, as in a table. */
export const routeOf =
  (tag: string) =>
  (
    method: RouteDescription['method'],
    path: string,
    operationId: string,
    rest: Omit<RouteDescription, 'method' | 'path' | 'operationId' | 'tag'>,
  ): RouteDescription => ({ method, path, operationId, tag, ...rest });

/** The schema of that name under `components`. */
export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
/** The schema, with members that an object must have; generators of code read the reference alone. */
export const requiring = (schema: Schema, required: readonly string[]): Schema =>
  required.length === 0 ? schema : { ...schema, required };
/** An array of what the schema describes. */
export const listOf = (items: Schema): Schema => ({ type: 'array', items });

/** An object whose members are all there, unless `required` says which ones are. */
export const objectOf = (
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = Object.keys(properties),
): Schema => ({ type: 'object', properties, ...(required.length === 0 ? {} : { required }) });

/** A body of JSON. */
export const json = (
  description: string,
  schema: Schema,
  headers?: Readonly<Record<string, string>>,
): BodyDescription => ({
  description,
  content: { 'application/json': schema },
  ...(headers === undefined ? {} : { headers }),
});
/** A response without a body. */
export const empty = (description: string, headers?: Readonly<Record<string, string>>): BodyDescription => ({
  description,
  content: {},
  ...(headers === undefined ? {} : { headers }),
});
/** A body of plain text. */
export const text = (description: string, schema: Schema = STRING): BodyDescription => ({
  description,
  content: { 'text/plain': schema },
});

/** Any text. */
export const STRING: Schema = { type: 'string' };
/** `true` or `false`. */
export const BOOLEAN: Schema = { type: 'boolean' };
/** A text that is JSON of the schema, of arrays or objects. */
export const jsonText = (schema: Schema, example = exampleOfSchema(schema, {})): Schema => ({
  type: 'string',
  pattern:
    schema['type'] === 'array' || Array.isArray(example) ? '^\\s*\\[[\\s\\S]*\\]\\s*$' : '^\\s*\\{[\\s\\S]*\\}\\s*$',
  contentMediaType: 'application/json',
  contentSchema: schema,
  ...(example === undefined ? {} : { examples: [JSON.stringify(example)] }),
});
/** A number of things. */
export const COUNT: Schema = { type: 'integer', minimum: 0 };

/** A segment of the path, by its name there. */
export const inPath = (name: string, description: string, schema: Schema = STRING): ParameterDescription => ({
  name,
  in: 'path',
  description,
  schema,
  required: true,
});
/** A parameter of the query, optional. */
export const inQuery = (name: string, description: string, schema: Schema = STRING): ParameterDescription => ({
  name,
  in: 'query',
  description,
  schema,
});
/** A header of the request, optional. */
export const inHeader = (name: string, description: string, schema: Schema = STRING): ParameterDescription => ({
  name,
  in: 'header',
  description,
  schema,
});
