import type { ServerResponse } from 'node:http';
import {
  createEntities,
  currentWriteDependencies,
  deleteAffected,
  deleteEntities,
  deleteEntity,
  patchAffected,
  patchEntities,
  restoreEntity,
  updateEntities,
  updateEntity,
  upsertEntities,
  type WriteResponse,
} from '@lintel/entities';
import { PlatformError } from '@lintel/errors';
import {
  applyPreference,
  contextOf,
  handlingFor,
  pathParameter,
  queryOf,
  type Route,
  type RoutedRequest,
  type RouteHandler,
  sendJsonText,
  singleValue,
} from '@lintel/http';
import { clientWriteResponse } from '../client-versions/client-result.ts';
import { affectedOf, assertNoBody } from './receive-affected.ts';
import { createWriteReceiver, idempotentCallOf, type WriteReceiverOptions } from './receive-write.ts';

export interface WriteRouteOptions extends WriteReceiverOptions {
  /** Path of the entity API below the router, e.g. `/entities`. */
  readonly path: string;
}

/**
 * The write routes of the entity API (contract/writing.md#writing). With `modelVersion`, names and instances are
 * those of an earlier version of the model (contract/model-versions.md#model-versions).
 */
export function writeRoutes(options: WriteRouteOptions): readonly Route[] {
  const { path } = options;
  const current = () => currentWriteDependencies(options);
  const { bodyOf, targetOf, rehearsalOf, patchOf, upsertOf, receive } = createWriteReceiver(options);
  const sendResult = (request: RoutedRequest, response: ServerResponse, result: WriteResponse): void => {
    const { version, entityName } = targetOf(request);
    respond(response, clientWriteResponse(version, entityName, result));
  };
  const create: RouteHandler = async (request, response) => {
    const upsert = upsertOf(request, response);
    const { principal, signal } = contextOf(request, response);
    const received = await receive(request, response, principal);
    if (upsert !== undefined) {
      const all = { ...received, ...upsert };
      sendResult(request, response, await upsertEntities(all, principal, await current(), signal));
      return;
    }
    sendResult(request, response, await createEntities(received, principal, await current(), signal));
  };
  const replaceOne: RouteHandler = async (request, response) => {
    const { principal, signal } = contextOf(request, response);
    const received = { ...(await receive(request, response, principal)), id: pathParameter(request, 'entityId') };
    sendResult(request, response, await updateEntity(received, principal, await current(), signal));
  };
  const replaceAll: RouteHandler = async (request, response) => {
    if (queryOf(request)['key'] !== undefined) return create(request, response);
    const { principal, signal } = contextOf(request, response);
    const received = await receive(request, response, principal);
    sendResult(request, response, await updateEntities(received, principal, await current(), signal));
  };
  const patchOne: RouteHandler = async (request, response) => {
    const patch = patchOf(request);
    const { principal, signal } = contextOf(request, response);
    const received = await receive(request, response, principal);
    const one = { ...received, id: pathParameter(request, 'entityId'), patch };
    sendResult(request, response, await updateEntity(one, principal, await current(), signal));
  };
  const patchAll: RouteHandler = async (request, response) => {
    const patch = patchOf(request);
    const { principal, signal } = contextOf(request, response);
    const affected = affectedOf(request, response, patch);
    const received = { ...(await receive(request, response, principal)), patch };
    if (affected !== undefined) {
      const all = { ...received, ...affected };
      sendResult(request, response, await patchAffected(all, principal, await current(), signal));
      return;
    }
    const update = patch === 'operations' ? patchEntities : updateEntities;
    sendResult(request, response, await update(received, principal, await current(), signal));
  };
  const deleteOne: RouteHandler = async (request, response) => {
    const { principal, signal } = contextOf(request, response);
    const received = {
      entityName: targetOf(request).entityName,
      id: pathParameter(request, 'entityId'),
      ifMatch: request.headers['if-match'],
      isPurge: isPurge(request),
      isRehearsal: rehearsalOf(request, response),
      unknownMembers: handlingFor(request, response, options.unknownMembers),
      idempotentCall: idempotentCallOf(request, ''),
    };
    sendResult(request, response, await deleteEntity(received, principal, await current(), signal));
  };
  const restore: RouteHandler = async (request, response) => {
    const { principal, signal } = contextOf(request, response);
    const received = { ...(await receive(request, response, principal)), id: pathParameter(request, 'entityId') };
    if (received.body.trim() !== '')
      throw new PlatformError('REQ_INVALID_PARAMETER', 'The body must be empty: a restoration changes no attribute');
    sendResult(request, response, await restoreEntity(received, principal, await current(), signal));
  };
  const deleteAll: RouteHandler = async (request, response) => {
    const { principal, signal } = contextOf(request, response);
    const affected = affectedOf(request, response);
    const body = await bodyOf(request, response, principal);
    const received = {
      entityName: targetOf(request).entityName,
      body,
      isPurge: isPurge(request),
      isRehearsal: rehearsalOf(request, response),
      unknownMembers: handlingFor(request, response, options.unknownMembers),
      idempotentCall: idempotentCallOf(request, body),
    };
    if (affected !== undefined) {
      assertNoBody(body);
      const all = { ...received, ...affected };
      sendResult(request, response, await deleteAffected(all, principal, await current(), signal));
      return;
    }
    sendResult(request, response, await deleteEntities(received, principal, await current(), signal));
  };

  return [
    { method: 'post', path: `${path}/:entityName`, handle: create },
    { method: 'post', path: `${path}/:entityName/:entityId/restore`, handle: restore },
    { method: 'put', path: `${path}/:entityName/:entityId`, handle: replaceOne },
    { method: 'put', path: `${path}/:entityName`, handle: replaceAll },
    { method: 'patch', path: `${path}/:entityName/:entityId`, handle: patchOne },
    { method: 'patch', path: `${path}/:entityName`, handle: patchAll },
    { method: 'delete', path: `${path}/:entityName/:entityId`, handle: deleteOne },
    { method: 'delete', path: `${path}/:entityName`, handle: deleteAll },
  ];
}

/** Whether instances are removed from the bin. @throws PlatformError REQ_INVALID_PARAMETER */
function isPurge(request: RoutedRequest): boolean {
  const value = singleValue(queryOf(request), 'deleted') ?? '';
  if (value !== '' && value !== 'only')
    throw new PlatformError('REQ_INVALID_PARAMETER', "Parameter 'deleted' must be only");
  return value === 'only';
}

function respond(response: ServerResponse, { status, headers, body }: WriteResponse): void {
  response.statusCode = status;
  const { 'Preference-Applied': applied, ...others } = headers;
  if (applied !== undefined) applyPreference(response, applied);
  // The check of the parameters may have set one of them.
  for (const [name, value] of Object.entries(others)) response.appendHeader(name, value);
  if (body === '') {
    response.end();
    return;
  }
  response.setHeader('Cache-Control', 'no-store');
  sendJsonText(response, body);
}
