import { contextOf, readBody, sendJsonText } from '@lintel/http';
import type { Request, Response, Router } from 'express';
import { entityTag } from '../entity-tag.ts';
import { deleteEntities, deleteEntity } from './delete-entities.ts';
import { decodeBody } from './parse/parse-body.ts';
import { publicUrlOf } from './public-url.ts';
import type { WriteDependencies } from './write-dependencies.ts';
import { createEntities, updateEntities, updateEntity, type WriteAnswer, type WriteRequest } from './write-entities.ts';

/**
 * The writing half of the entity API (specification 4.3 to 4.5).
 *
 * @param path of the entity API below the router, e.g. `/entities`
 */
export function registerWriteRoutes(router: Router, deps: WriteDependencies & { readonly path: string }): void {
  const { path } = deps;
  const bodyOf = async (request: Request): Promise<string> => decodeBody(await readBody(request, deps.maxBodyBytes));
  const receive = async (request: Request): Promise<WriteRequest> => ({
    entityName: parameter(request, 'entityName'),
    body: await bodyOf(request),
    responsePlan: queryText(request, 'responseFetchPlan') ?? queryText(request, 'responseView'),
    ifMatch: request.headers['if-match'],
  });

  router.post(`${path}/:entityName`, async (request, response) => {
    const { principal, signal } = contextOf(request, response);
    const answer = await createEntities(await receive(request), principal, deps, signal);
    const url = publicUrlOf(request);
    response.setHeader(
      'Location',
      answer.kind === 'batch' ? url : `${url}/${encodeURIComponent(answer.instance.pathId)}`,
    );
    respond(response, 201, answer);
  });
  router.put(`${path}/:entityName/:entityId`, async (request, response) => {
    const { principal, signal } = contextOf(request, response);
    const received = { ...(await receive(request)), id: parameter(request, 'entityId') };
    respond(response, 200, await updateEntity(received, principal, deps, signal));
  });
  router.put(`${path}/:entityName`, async (request, response) => {
    const { principal, signal } = contextOf(request, response);
    respond(response, 200, await updateEntities(await receive(request), principal, deps, signal));
  });
  router.delete(`${path}/:entityName/:entityId`, async (request, response) => {
    const { principal, signal } = contextOf(request, response);
    const ifMatch = request.headers['if-match'];
    const received = { entityName: parameter(request, 'entityName'), id: parameter(request, 'entityId'), ifMatch };
    await deleteEntity(received, principal, deps, signal);
    response.status(204).end();
  });
  router.delete(`${path}/:entityName`, async (request, response) => {
    const { principal, signal } = contextOf(request, response);
    const received = { entityName: parameter(request, 'entityName'), body: await bodyOf(request) };
    await deleteEntities(received, principal, deps, signal);
    response.status(204).end();
  });
}

function respond(response: Response, status: number, answer: WriteAnswer): void {
  response.statusCode = status;
  response.setHeader('Cache-Control', 'no-store');
  if (answer.kind === 'batch') {
    sendJsonText(response, `[${answer.instances.map(({ json }) => json).join(',')}]`);
    return;
  }
  response.setHeader('ETag', entityTag(answer.instance));
  sendJsonText(response, answer.instance.json);
}

function parameter(request: Request, name: string): string {
  const value = request.params[name];
  return typeof value === 'string' ? value : '';
}

/** The first value where a parameter is given twice; an empty one counts as absent. */
function queryText(request: Request, name: string): string | undefined {
  const value: unknown = request.query[name];
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' && first !== '' ? first : undefined;
}
