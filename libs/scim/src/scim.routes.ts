import { matchesEntityTag, refuseMethod } from '@lintel/http';
import type { Request, RequestHandler, Response, Router } from 'express';
import { resourceTypes, schemas, serviceProvider } from './discovery/service-documents.ts';
import { groupResource } from './groups/group-resource.ts';
import type { StoredGroup } from './groups/group-store.ts';
import { SCHEMA_URIS } from './protocol/schema-uris.ts';
import { notFound, ScimFailure } from './protocol/scim-failure.ts';
import { readScimBody, type ServeScim } from './receive-scim.ts';
import { readListRequest, readProjection, type ScimResources } from './requests/list-request.ts';
import { projectResource } from './requests/project-resource.ts';
import { sendNothing, sendScim } from './send-scim.ts';
import type { StoredUser } from './users/user-fields.ts';
import { userResource } from './users/user-resource.ts';

export interface ScimRoutesDeps {
  readonly serve: ServeScim;
  readonly users: ScimResources<StoredUser>;
  readonly groups: ScimResources<StoredGroup>;
  /** `https://…/scim/v2` as the provider reaches it. */
  readonly baseUrl: string;
  readonly maxResults: number;
  readonly availableLocales: readonly string[];
}

type Resource = ReturnType<typeof userResource>;

const idOf = ({ params }: Request): string => String(params['id']);
const ifMatchOf = ({ headers }: Request): string | undefined => headers['if-match'];

/** Routes of SCIM 2.0 (RFC 7644 §3.2). */
export function registerScimRoutes(router: Router, deps: ScimRoutesDeps): void {
  registerKind(router, deps, { path: 'Users', resources: deps.users, resourceOf: userResource, isLarge: false });
  registerKind(router, deps, { path: 'Groups', resources: deps.groups, resourceOf: groupResource, isLarge: true });
  registerDiscovery(router, deps);
  for (const path of ['Bulk', 'Me', '.search']) router.all(`/scim/v2/${path}`, deps.serve(refuseOperation));
  router.all(
    '/scim/v2/*rest',
    deps.serve(() => {
      throw new ScimFailure(404, 'There is nothing at this path');
    }),
  );
}

/** The routes of users, or of groups. */
interface Kind<T> {
  readonly path: 'Users' | 'Groups';
  readonly resources: ScimResources<T>;
  readonly resourceOf: (item: T, baseUrl: string) => Resource;
  /** Whether one may have many members. */
  readonly isLarge: boolean;
}

function registerKind<T extends { readonly id: string }>(
  router: Router,
  { serve, baseUrl, maxResults }: ScimRoutesDeps,
  { path, resources, resourceOf, isLarge }: Kind<T>,
): void {
  const send = (request: Request, response: Response, status: number, item: T): void =>
    sendResource(request, response, status, resourceOf(item, baseUrl));
  const find = (id: string, { query }: Request): Promise<T> => resources.find(id, readProjection(query));
  router.get(
    `/scim/v2/${path}`,
    serve(async ({ query }, response) => {
      const request = readListRequest(query, maxResults);
      const { total, items } = await resources.list(request);
      const found = items.map((item) => projectResource(resourceOf(item, baseUrl), request.projection));
      sendScim(response, 200, listOf(found, total, request.startIndex));
    }),
  );
  router.post(
    `/scim/v2/${path}`,
    serve(async (request, response) =>
      send(request, response, 201, await resources.create(await readScimBody(request))),
    ),
  );
  router.get(
    `/scim/v2/${path}/:id`,
    serve(async (request, response) => send(request, response, 200, await find(idOf(request), request))),
  );
  router.put(
    `/scim/v2/${path}/:id`,
    serve(async (request, response) => {
      const item = await resources.replace(idOf(request), await readScimBody(request), ifMatchOf(request));
      send(request, response, 200, isLarge ? await find(item.id, request) : item);
    }),
  );
  router.patch(
    `/scim/v2/${path}/:id`,
    serve(async (request, response) => {
      const item = await resources.patch(idOf(request), await readScimBody(request), ifMatchOf(request));
      // The response has a large one only if it is asked for (RFC 7644 §3.5.2).
      if (isLarge && request.query['attributes'] === undefined) return sendNothing(response);
      send(request, response, 200, isLarge ? await find(item.id, request) : item);
    }),
  );
  router.delete(
    `/scim/v2/${path}/:id`,
    serve(async (request, response) => {
      await resources.remove(idOf(request), ifMatchOf(request));
      sendNothing(response);
    }),
  );
  router.all(`/scim/v2/${path}`, serve(refuseOthers('GET', 'POST')));
  router.all(`/scim/v2/${path}/:id`, serve(refuseOthers('GET', 'PUT', 'PATCH', 'DELETE')));
}

function registerDiscovery(router: Router, { serve, baseUrl, maxResults, availableLocales }: ScimRoutesDeps): void {
  const described = schemas({ baseUrl, availableLocales });
  const named = (all: readonly (object & { readonly id: string })[]): RequestHandler =>
    serve((request, response) => {
      const found = all.find(({ id }) => id.toLowerCase() === idOf(request).toLowerCase());
      if (found === undefined) throw notFound();
      sendScim(response, 200, found);
    });
  const whole = (all: readonly object[]): RequestHandler =>
    serve(({ query }, response) => {
      // RFC 7644 §4
      if (query['filter'] !== undefined) throw new ScimFailure(403, 'filter: these resources cannot be filtered');
      sendScim(response, 200, listOf(all, all.length, 1));
    });
  router.get(
    '/scim/v2/ServiceProviderConfig',
    serve((_request, response) => sendScim(response, 200, serviceProvider({ baseUrl, maxResults }))),
  );
  router.get('/scim/v2/ResourceTypes', whole(resourceTypes(baseUrl)));
  router.get('/scim/v2/ResourceTypes/:id', named(resourceTypes(baseUrl)));
  router.get('/scim/v2/Schemas', whole(described));
  router.get('/scim/v2/Schemas/:id', named(described));
  const paths = ['ServiceProviderConfig', 'ResourceTypes', 'ResourceTypes/:id', 'Schemas', 'Schemas/:id'];
  for (const path of paths) router.all(`/scim/v2/${path}`, serve(refuseOthers('GET')));
}

const refuseOperation = (): never => {
  throw new ScimFailure(501, 'This operation is not supported');
};

const refuseOthers =
  (...served: readonly string[]) =>
  (request: Request, response: Response): void =>
    refuseMethod(request, response, served, (method, allow) => {
      response.setHeader('Allow', allow);
      return new ScimFailure(405, `${method} is not supported here`);
    });

const listOf = (resources: readonly object[], totalResults: number, startIndex: number) => ({
  schemas: [SCHEMA_URIS.list],
  totalResults,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
});

interface Meta {
  readonly version: string;
  readonly location: string;
}

/** Sends a resource with its version, or 304 if the client has this version. */
function sendResource(request: Request, response: Response, status: number, resource: Resource): void {
  const { version, location } = resource['meta'] as Meta;
  response.setHeader('ETag', version);
  if (status === 201) response.setHeader('Location', location);
  const isKnown = matchesEntityTag(request.headers['if-none-match'], version.slice(2));
  if (request.method === 'GET' && isKnown) {
    response.statusCode = 304;
    response.end();
    return;
  }
  sendScim(response, status, projectResource(resource, readProjection(request.query)));
}
