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
  readonly version: string;
  readonly description?: string;
}

/** What a document is written from. */
export interface DocumentParts {
  readonly info: DocumentInfo;
  /** What the paths of the routes are relative to, e.g. `/`. */
  readonly server: string;
  readonly routes: readonly RouteDescription[];
  readonly schemas: Readonly<Record<string, Schema>>;
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
  429: 'Too many requests; `Retry-After` tells when there may be more',
  '5XX': 'A failure of the server, or of one that it needs; 503 and 504 may be tried again',
};

/** Statuses that every operation may return. */
const ALWAYS = ['429', '5XX'];

/**
 * An OpenAPI 3.1 document of the routes. Parameters and errors that several operations share stand under
 * `components` once; schemas that nothing refers to are left out.
 */
export function buildDocument({ info, server, routes, schemas, tagDescriptions }: DocumentParts): OpenApiDocument {
  const shared = sharedParameters(routes);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const operations = paths[route.path] ?? {};
    operations[route.method] = operationOf(route, shared);
    paths[route.path] = operations;
  }
  const used = new Set(Object.values(paths).flatMap(responseReferences));
  const errors = Object.fromEntries(
    Object.entries(ERROR_TITLES)
      .filter(([status]) => used.has(errorReference(status)))
      .map(([status, title]) => [errorName(status), responseOf(errorOf(status, title))]),
  );
  return {
    openapi: '3.1.0',
    info: { ...info, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: server }],
    security: [{ oauth2: [] }, { bearer: [] }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({
      name,
      description: tagDescriptions.get(name) ?? name,
    })),
    paths,
    components: {
      schemas: reachable(schemas, [paths, errors]),
      parameters: Object.fromEntries([...shared.values()].map(({ name, parameter }) => [name, parameterOf(parameter)])),
      responses: errors,
      securitySchemes: routes.some(({ security }) => security === 'client')
        ? { ...TOKEN_SCHEMES, ...CLIENT_SCHEMES }
        : TOKEN_SCHEMES,
    },
  };
}

function operationOf(route: RouteDescription, shared: ReadonlyMap<string, SharedParameter>): OpenApiDocument {
  const { operationId, tag, summary, parameters = [], request } = route;
  return {
    operationId,
    tags: [tag],
    summary,
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
            content: contentOf(request),
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
  const { errors = [], request, security } = route;
  const statuses = new Set([
    ...errors.map(String),
    ...(security === undefined ? ['401'] : []),
    ...(request === undefined ? [] : ['413', '415']),
    ...(security === 'client' ? [] : ALWAYS),
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
      ...(status === '401' && { 'WWW-Authenticate': 'Challenge of RFC 6750' }),
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
  };
}

const contentOf = ({ content, example }: BodyDescription): OpenApiDocument =>
  Object.fromEntries(
    Object.entries(content).map(([type, schema]) => [
      type,
      { schema, ...(example === undefined || type !== 'application/json' ? {} : { example }) },
    ]),
  );

const REFERENCE = /"#\/components\/schemas\/([^"]+)"/g;

/** The schemas that `roots` refer to, directly or through others. */
function reachable(schemas: Readonly<Record<string, Schema>>, roots: unknown): Readonly<Record<string, Schema>> {
  const found = new Set<string>();
  const follow = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(REFERENCE)) {
      if (found.has(name)) continue;
      found.add(name);
      follow(schemas[name] ?? {});
    }
  };
  follow(roots);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => found.has(name)));
}
