/** Just enough of OpenAPI 3.1 to look into the documents. */
export interface OpenApi {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly 'x-lintel-version': string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks?: Readonly<Record<string, object>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
}

export type Shared<T> = T | { readonly $ref: string };

// biome-ignore lint/suspicious/noExplicitAny: schemas have every shape
export type Schema = any;

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface MediaType {
  readonly schema: Schema;
  readonly example?: unknown;
  /** An array of the values of the schema is accepted or returned, too. */
  readonly 'x-one-or-many'?: boolean;
}

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, MediaType>>;
  /** Media types of exports. */
  readonly 'x-exports'?: readonly string[];
}

export interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Shared<Parameter>[];
  readonly requestBody?: Response;
  readonly responses: Readonly<Record<string, Shared<Response>>>;
  readonly security?: readonly object[];
}

/** JSON pointer of what a reference leads to, or the pointer itself. */
export const pointerOf = (value: object, pointer: string): string => ('$ref' in value ? String(value.$ref) : pointer);

/** What a reference `#/components/…` leads to. */
export function resolved<T extends object>(document: OpenApi, value: Shared<T>): T {
  if (!('$ref' in value)) return value;
  const [, , kind = '', name = ''] = String(value.$ref).split('/');
  const components = document.components as unknown as Record<string, Record<string, T>>;
  const found = components[kind]?.[name];
  if (found === undefined) throw new Error(`${value.$ref} leads nowhere`);
  return found;
}
