/** A schema, as far as the explorer reads it. */
export interface ApiSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly example?: unknown;
}

export interface ApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description?: string;
  readonly required?: boolean;
  readonly schema?: ApiSchema;
  readonly example?: unknown;
}

/** A body by its content types. */
export interface ApiBody {
  readonly required?: boolean;
  readonly content: Readonly<Record<string, { readonly example?: unknown; readonly examples?: object }>>;
}

/** An operation of the API. */
export interface ApiOperation {
  readonly id: string;
  readonly method: string;
  /** With `{parameters}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly isDeprecated: boolean;
  readonly parameters: readonly ApiParameter[];
  readonly body: ApiBody | undefined;
}

/** A document of OpenAPI, as the server sends it. */
export interface OpenApiDocument {
  readonly servers?: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly [member: string]: unknown;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head'];

/** The operations of a document, in its order, with their references resolved. */
export function operationsOf(document: OpenApiDocument): readonly ApiOperation[] {
  const resolve = <T>(value: unknown): T => resolved(document, value) as T;
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method] !== undefined).map((method): ApiOperation => {
      const found = item[method] as Readonly<Record<string, unknown>>;
      const parameters = [item['parameters'], found['parameters']].flatMap(
        (list) => (list ?? []) as readonly unknown[],
      );
      return {
        id: String(found['operationId'] ?? `${method}${path}`),
        method: method.toUpperCase(),
        path,
        tag: String((found['tags'] as readonly string[] | undefined)?.[0] ?? ''),
        summary: String(found['summary'] ?? ''),
        description: String(found['description'] ?? ''),
        isDeprecated: found['deprecated'] === true,
        parameters: parameters.map((parameter) => {
          const { schema, ...given } = resolve<ApiParameter>(parameter);
          return { ...given, ...(schema !== undefined && { schema: resolve<ApiSchema>(schema) }) };
        }),
        body: found['requestBody'] === undefined ? undefined : resolve<ApiBody>(found['requestBody']),
      };
    }),
  );
}

function resolved(document: OpenApiDocument, value: unknown): unknown {
  const reference = (value as { readonly $ref?: unknown } | undefined)?.$ref;
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return value;
  const found = reference
    .slice(2)
    .split('/')
    .reduce<unknown>(
      (owner, key) =>
        (owner as Readonly<Record<string, unknown>> | undefined)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')],
      document,
    );
  return resolved(document, found);
}

/** An example of a body as a text; empty without one. */
export function exampleOf(body: ApiBody | undefined, contentType: string): string {
  const { example, examples } = body?.content[contentType] ?? {};
  const named = Object.values(examples ?? {})[0] as { readonly value?: unknown } | undefined;
  const value = example ?? named?.value;
  if (value === undefined) return contentType.includes('json') ? '{}' : '';
  return typeof value === 'string' && !contentType.includes('json') ? value : JSON.stringify(value, null, 2);
}
