import { type BodyDescription, type RouteDescription, ref, type Schema } from './route-description.ts';
import { SCHEMAS } from './schemas.ts';

export interface DocumentInfo {
  readonly title: string;
  readonly version: string;
}

/** Titles of the errors; the body is the platform's error shape. */
const ERROR_TITLES: Readonly<Record<number, string>> = {
  400: 'Mistake in the request',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Another HTTP method; `Allow` names those that there are',
  409: 'In conflict with what is stored',
  412: 'Changed since it was read',
  413: 'Too large',
  422: 'Another request has used the `Idempotency-Key`',
};

type Document = Readonly<Record<string, unknown>>;

/** An OpenAPI 3.1 document of the routes. */
export function buildDocument(info: DocumentInfo, routes: readonly RouteDescription[]): Document {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const operations = paths[route.path] ?? {};
    operations[route.method] = operationOf(route);
    paths[route.path] = operations;
  }
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: SCHEMAS,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'Access token' },
        client: { type: 'http', scheme: 'basic', description: 'Id and secret of the client' },
      },
    },
  };
}

function operationOf(route: RouteDescription): Document {
  const { operationId, tag, summary, parameters, request } = route;
  return {
    operationId,
    tags: [tag],
    summary,
    ...(parameters === undefined ? {} : { parameters }),
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
    ...securityOf(route),
  };
}

function responsesOf(route: RouteDescription): Document {
  const errors = Object.fromEntries(
    (route.errors ?? []).map((status) => [status, responseOf(errorOf(ERROR_TITLES[status] ?? 'Error', ref('Error')))]),
  );
  const given = Object.fromEntries(Object.entries(route.responses).map(([status, body]) => [status, responseOf(body)]));
  const unauthorized = { 401: responseOf(errorOf('No valid token', ref('OAuthError'))) };
  return { ...(route.security === undefined ? unauthorized : {}), ...errors, ...given };
}

const errorOf = (description: string, schema: Schema): BodyDescription => ({
  description,
  content: { 'application/json': schema },
});

function responseOf(body: BodyDescription): Document {
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

const contentOf = ({ content }: BodyDescription): Document =>
  Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema }]));

function securityOf({ security }: RouteDescription): Document {
  if (security === undefined) return {};
  return { security: security === 'none' ? [] : [{ client: [] }] };
}
