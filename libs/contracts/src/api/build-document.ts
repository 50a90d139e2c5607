import { EXPORT_TYPES } from '../export-types.ts';
import { distinctNames } from './distinct-names.ts';
import { exampleOfSchema } from './example-of-schema.ts';
import { reachableSchemas } from './reachable-schemas.ts';
import {
  type BodyDescription,
  type ParameterDescription,
  type RouteDescription,
  ref,
  type Schema,
} from './route-description.ts';
import { CLIENT_SCHEMES, securityOf, TOKEN_SCHEMES } from './security-schemes.ts';
import { type SharedParameter, sharedParameters } from './shared-parameters.ts';

/** What a document says of itself. */
export interface DocumentInfo {
  readonly title: string;
  /** Of the API that the document describes: of the application, or of the reports. */
  readonly version: string;
  /** Version of Lintel. */
  readonly 'x-lintel-version': string;
  readonly description?: string;
}

/** What a document is written from. */
export interface DocumentParts {
  readonly info: DocumentInfo;
  /** What the paths of the routes are relative to, e.g. `/`. */
  readonly server: string;
  readonly routes: readonly RouteDescription[];
  readonly schemas: Readonly<Record<string, Schema>>;
  /** Requests that the API sends, by name. */
  readonly webhooks?: Readonly<Record<string, RouteDescription>>;
  /** Descriptions of the tags of the routes. */
  readonly tagDescriptions: ReadonlyMap<string, string>;
}

/** An OpenAPI document, ready to be written as JSON or YAML. */
export type OpenApiDocument = Readonly<Record<string, unknown>>;

/** Titles of the errors; the body is the platform's error shape. */
const ERROR_TITLES: Readonly<Record<string, string>> = {
  400: 'A mistake in the request',
  401: 'No valid token',
  403: 'The caller may not do this',
  404: 'Not found',
  405: 'Another HTTP method is needed; `Allow` names those that there are',
  406: 'The representation that `Accept` asks for is not offered',
  409: 'In conflict with what is stored',
  412: 'Changed since it was read',
  413: 'Too large',
  415: 'A body of this media type is not taken',
  416: 'The range lies outside of the file',
  422: 'Understood, but not possible',
  429: 'Too many requests; `Retry-After` is the time until the next one is accepted',
  '5XX': 'A failure of the server, or of one that it needs; 503 and 504 may be tried again',
};

/** Marks content that may also be an array of the values that its schema describes. */
const ONE_OR_MANY = 'x-one-or-many';

/** Other media types of a response. */
const EXPORTED = 'x-exports';

const HAS_EXAMPLES: ReadonlySet<string> = new Set([
  'application/json',
  'application/merge-patch+json',
  'application/json-patch+json',
  'application/x-www-form-urlencoded',
  ...Object.values(EXPORT_TYPES),
]);

/** Statuses that every operation may return. */
const ALWAYS = ['429', '5XX'];

/**
 * An OpenAPI 3.1 document of the routes. Parameters and errors that several operations share stand under
 * `components` once; schemas that nothing refers to are left out.
 */
export function buildDocument({ info, server, routes, ...parts }: DocumentParts): OpenApiDocument {
  const { schemas, names } = distinctSchemas(parts.schemas);
  const shared = sharedParameters(routes);
  const operationIds = distinctNames(routes.map(({ operationId }) => operationId));
  const operation = (route: RouteDescription): OpenApiDocument =>
    operationOf({ ...route, operationId: operationIds.get(route.operationId) ?? route.operationId }, shared, schemas);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const operations = paths[route.path] ?? {};
    operations[route.method] = operation(route);
    paths[route.path] = operations;
  }
  const used = new Set(Object.values(paths).flatMap(responseReferences));
  const errors = Object.fromEntries(
    Object.entries(ERROR_TITLES)
      .filter(([status]) => used.has(errorReference(status)))
      .map(([status, title]) => [errorName(status), responseOf(errorOf(status, title))]),
  );
  const webhooks = Object.fromEntries(
    Object.entries(parts.webhooks ?? {}).map(([name, route]) => [name, { [route.method]: operation(route) }] as const),
  );
  const document = {
    openapi: '3.1.0',
    info: { ...info, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: server }],
    security: [{ oauth2: [] }, { bearer: [] }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({
      name,
      description: parts.tagDescriptions.get(name) ?? name,
    })),
    paths,
    ...(parts.webhooks === undefined ? {} : { webhooks: references('pathItems', webhooks) }),
    components: {
      schemas: reachableSchemas(schemas, [paths, webhooks, errors]),
      parameters: Object.fromEntries([...shared.values()].map(({ name, parameter }) => [name, parameterOf(parameter)])),
      responses: errors,
      // By reference: generators of clients would make operations of them.
      ...(parts.webhooks === undefined ? {} : { pathItems: webhooks }),
      securitySchemes: routes.some(({ security }) => security === 'client')
        ? { ...TOKEN_SCHEMES, ...CLIENT_SCHEMES }
        : TOKEN_SCHEMES,
    },
  };
  return names.size === 0 ? document : (renamed(document, names) as OpenApiDocument);
}

const references = (kind: string, named: OpenApiDocument): OpenApiDocument =>
  Object.fromEntries(Object.keys(named).map((name) => [name, { $ref: `#/components/${kind}/${name}` }]));

/** The schemas under names of their own, and what was renamed. */
function distinctSchemas(schemas: DocumentParts['schemas']) {
  const names = new Map([...distinctNames(Object.keys(schemas))].filter(([name, distinct]) => name !== distinct));
  if (names.size === 0) return { schemas, names };
  const entries = Object.entries(schemas).map(([name, schema]) => [names.get(name) ?? name, renamed(schema, names)]);
  return { schemas: Object.fromEntries(entries) as DocumentParts['schemas'], names };
}

const SCHEMA_REFERENCE = '#/components/schemas/';

/** A copy in which references to renamed schemas have their new names. */
function renamed(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      if (key !== '$ref' || typeof member !== 'string' || !member.startsWith(SCHEMA_REFERENCE))
        return [key, renamed(member, names)];
      const name = member.slice(SCHEMA_REFERENCE.length);
      return [key, `${SCHEMA_REFERENCE}${names.get(name) ?? name}`];
    }),
  );
}

function operationOf(
  route: RouteDescription,
  shared: ReadonlyMap<string, SharedParameter>,
  schemas: Readonly<Record<string, Schema>>,
): OpenApiDocument {
  const { operationId, tag, summary, description, parameters = [], request } = route;
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    ...(route.deprecated === true ? { deprecated: true } : {}),
    ...(parameters.length === 0
      ? {}
      : {
          parameters: parameters.map((parameter) => {
            const known = shared.get(JSON.stringify(parameter));
            return known === undefined ? parameterOf(parameter) : { $ref: `#/components/parameters/${known.name}` };
          }),
        }),
    ...(request === undefined
      ? {}
      : {
          requestBody: {
            description: request.description,
            content: contentOf(withExample(request, schemas)),
            required: request.required ?? false,
          },
        }),
    responses: responsesOf(route),
    ...securityOf(route.security),
  };
}

const parameterOf = ({ example, ...parameter }: ParameterDescription): OpenApiDocument => ({
  ...parameter,
  ...(example === undefined ? {} : { example }),
});

function responsesOf(route: RouteDescription): OpenApiDocument {
  const { errors = [], path, request, security } = route;
  const statuses = new Set([
    ...errors.map(String),
    // 400: any request may ask that unknown parameters are refused.
    ...(security === undefined ? ['400', '401'] : []),
    ...(security === undefined && route.isForEveryUser !== true ? ['403'] : []),
    ...(path.includes('{') ? ['404'] : []),
    ...(request === undefined || path === '' ? [] : ['413', '415']),
    ...(security === 'client' || path === '' ? [] : ALWAYS),
  ]);
  const given = Object.entries(route.responses).map(
    ([status, body]) => [status, responseOf(hasProblemForm(status, route) ? withProblem(body) : body)] as const,
  );
  return Object.fromEntries([
    ...given,
    ...[...statuses]
      .filter((status) => route.responses[status] === undefined)
      .sort()
      .map((status) => [status, { $ref: errorReference(status) }] as const),
  ]);
}

const errorName = (status: string): string => `Error${status}`;
const errorReference = (status: string): string => `#/components/responses/${errorName(status)}`;

const responseReferences = (operations: Readonly<Record<string, unknown>>): readonly string[] =>
  [...JSON.stringify(operations).matchAll(/"(#\/components\/responses\/[^"]+)"/g)].map(
    ([, reference = '']) => reference,
  );

/** Whether the response is an error that clients may get in the form of RFC 9457; token endpoints have only their own. */
const hasProblemForm = (status: string, { security, path }: RouteDescription): boolean =>
  /^[45]/.test(status) && security !== 'client' && !path.startsWith('/oauth');

const withProblem = (body: BodyDescription): BodyDescription => ({
  ...body,
  content: { ...body.content, 'application/problem+json': ref('Problem') },
});

const errorOf = (status: string, description: string): BodyDescription =>
  withProblem({
    description,
    content: { 'application/json': ref(status === '401' ? 'OAuthError' : 'Error') },
    headers: {
      'X-Error-Code': 'The code of the error',
      ...(status === '403' && { 'X-Needed-Policy': 'The specific policy that is missing, if it is one' }),
      ...(status === '401' && { 'WWW-Authenticate': 'Challenge of RFC 6750' }),
      ...(status === '415' && { 'Accept-Patch': 'The media types of patches, for a PATCH' }),
      ...(status === '405' && { Allow: 'The methods that there are' }),
      ...(status === '429' && { 'Retry-After': 'Seconds' }),
    },
  });

function responseOf(body: BodyDescription): OpenApiDocument {
  const headers = Object.entries(body.headers ?? {}).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ]);
  return {
    description: body.description,
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
    ...(Object.keys(body.content).length === 0 ? {} : { content: contentOf(body) }),
    ...(body.isExported === true ? { [EXPORTED]: Object.values(EXPORT_TYPES) } : {}),
  };
}

/** Every body of a request has an example; the parameters of any query or service cannot have one. */
function withExample(body: BodyDescription, schemas: Readonly<Record<string, Schema>>): BodyDescription {
  const [schema] = Object.values(body.content);
  if (body.example !== undefined || schema === undefined) return body;
  const example = exampleOfSchema(schema, schemas);
  return example === undefined ? body : { ...body, example };
}

const contentOf = ({ content, example, examples = {}, isOneOrMany }: BodyDescription): OpenApiDocument =>
  Object.fromEntries(
    Object.entries(content).map(([type, schema]) => {
      const own = examples[type] ?? example;
      const hasExample = own !== undefined && HAS_EXAMPLES.has(type);
      const isMany = isOneOrMany === true && type === 'application/json';
      return [type, { schema, ...(hasExample ? { example: own } : {}), ...(isMany ? { [ONE_OR_MANY]: true } : {}) }];
    }),
  );
