import { matchesEntityTag, refuseMethod } from '@lintel/http';
import type { Request, RequestHandler, Response, Router } from 'express';
import { resourceTypes, schemas, serviceProvider } from './discovery/service-documents.ts';
import { groupResource } from './groups/group-resource.ts';
import type { StoredGroup } from './groups/group-store.ts';
import type { ScimGroups } from './groups/groups.ts';
import { SCHEMA_URIS } from './protocol/schema-uris.ts';
import { notFound, ScimFailure } from './protocol/scim-failure.ts';
import { readScimBody, type ServeScim } from './receive-scim.ts';
import { includes, readListRequest, readProjection } from './requests/list-request.ts';
import { projectResource } from './requests/project-resource.ts';
import { sendNothing, sendScim } from './send-scim.ts';
import type { StoredUser } from './users/user-fields.ts';
import { userResource } from './users/user-resource.ts';
import type { ScimUsers } from './users/users.ts';

export interface ScimRoutesDeps {
  readonly serve: ServeScim;
  readonly users: ScimUsers;
  readonly groups: ScimGroups;
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
  registerUserRoutes(router, deps);
  registerGroupRoutes(router, deps);
  registerDiscovery(router, deps);
  for (const path of ['Bulk', 'Me', '.search']) router.all(`/scim/v2/${path}`, deps.serve(refuseOperation));
  router.all(
    '/scim/v2/*rest',
    deps.serve(() => {
      throw new ScimFailure(404, 'There is nothing at this path');
    }),
  );
}

function registerUserRoutes(router: Router, { serve, users, baseUrl, maxResults }: ScimRoutesDeps): void {
  const toResource = (user: StoredUser): Resource => userResource(user, baseUrl);
  router.get(
    '/scim/v2/Users',
    serve(async ({ query }, response) => {
      const request = readListRequest(query, maxResults);
      const { total, items } = await users.list(request);
      const resources = items.map((user) => projectResource(toResource(user), request.projection));
      sendScim(response, 200, listOf(resources, total, request.startIndex));
    }),
  );
  router.post(
    '/scim/v2/Users',
    serve(async (request, response) => {
      const user = await users.create(await readScimBody(request));
      sendResource(request, response, 201, toResource(user));
    }),
  );
  router.get(
    '/scim/v2/Users/:id',
    serve(async (request, response) =>
      sendResource(request, response, 200, toResource(await users.find(idOf(request)))),
    ),
  );
  router.put(
    '/scim/v2/Users/:id',
    serve(async (request, response) => {
      const user = await users.replace(idOf(request), await readScimBody(request), ifMatchOf(request));
      sendResource(request, response, 200, toResource(user));
    }),
  );
  router.patch(
    '/scim/v2/Users/:id',
    serve(async (request, response) => {
      const user = await users.patch(idOf(request), await readScimBody(request), ifMatchOf(request));
      sendResource(request, response, 200, toResource(user));
    }),
  );
  router.delete(
    '/scim/v2/Users/:id',
    serve(async (request, response) => {
      await users.remove(idOf(request), ifMatchOf(request));
      sendNothing(response);
    }),
  );
  router.all('/scim/v2/Users', serve(refuseOthers('GET', 'POST')));
  router.all('/scim/v2/Users/:id', serve(refuseOthers('GET', 'PUT', 'PATCH', 'DELETE')));
}

function registerGroupRoutes(router: Router, { serve, groups, baseUrl, maxResults }: ScimRoutesDeps): void {
  const toResource = (group: StoredGroup): Resource => groupResource(group, baseUrl);
  const hasMembers = (request: Request): boolean => includes(readProjection(request.query), 'members');
  router.get(
    '/scim/v2/Groups',
    serve(async (request, response) => {
      const list = readListRequest(request.query, maxResults);
      const { total, items } = await groups.list(list, includes(list.projection, 'members'));
      const resources = items.map((group) => projectResource(toResource(group), list.projection));
      sendScim(response, 200, listOf(resources, total, list.startIndex));
    }),
  );
  router.post(
    '/scim/v2/Groups',
    serve(async (request, response) => {
      const group = await groups.create(await readScimBody(request));
      sendResource(request, response, 201, toResource(group));
    }),
  );
  router.get(
    '/scim/v2/Groups/:id',
    serve(async (request, response) => {
      const group = await groups.find(idOf(request), hasMembers(request));
      sendResource(request, response, 200, toResource(group));
    }),
  );
  router.put(
    '/scim/v2/Groups/:id',
    serve(async (request, response) => {
      const { id } = await groups.replace(idOf(request), await readScimBody(request), ifMatchOf(request));
      sendResource(request, response, 200, toResource(await groups.find(id, hasMembers(request))));
    }),
  );
  router.patch(
    '/scim/v2/Groups/:id',
    serve(async (request, response) => {
      const { id } = await groups.patch(idOf(request), await readScimBody(request), ifMatchOf(request));
      // Groups may be large: the response has one only if it is asked for (RFC 7644 §3.5.2).
      if (request.query['attributes'] === undefined) return sendNothing(response);
      sendResource(request, response, 200, toResource(await groups.find(id, hasMembers(request))));
    }),
  );
  router.delete(
    '/scim/v2/Groups/:id',
    serve(async (request, response) => {
      await groups.remove(idOf(request), ifMatchOf(request));
      sendNothing(response);
    }),
  );
  router.all('/scim/v2/Groups', serve(refuseOthers('GET', 'POST')));
  router.all('/scim/v2/Groups/:id', serve(refuseOthers('GET', 'PUT', 'PATCH', 'DELETE')));
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
