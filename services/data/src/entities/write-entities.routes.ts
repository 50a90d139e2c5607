import type { ServerResponse } from 'node:http';
import type { Principal } from '@lintel/contracts';
import {
  clientWriteResponse,
  createEntities,
  currentBody,
  currentWriteDependencies,
  decodeBody,
  deleteEntities,
  deleteEntity,
  hashRequest,
  type IdempotentCall,
  type ModelVersions,
  namedVersion,
  parseIdempotencyKey,
  patchEntities,
  updateEntities,
  updateEntity,
  type WriteDependencies,
  type WriteRequest,
  type WriteResponse,
} from '@lintel/entities';
import { PlatformError } from '@lintel/errors';
import {
  applyPreference,
  contextOf,
  handlingFor,
  pathParameter,
  publicUrlOf,
  queryOf,
  type Route,
  type RoutedRequest,
  type RouteHandler,
  sendJsonText,
  type UnknownMembers,
} from '@lintel/http';
import type { ExactJson } from '@lintel/query';
import { receiveBody } from '../fair-shares/receive-body.ts';
import { assertBodySize } from '../limits/assert-body-size.ts';
import { assertPatchType, JSON_PATCH } from './patch-type.ts';
import { queryMembers } from './receive-read.ts';
import { returnPreferenceOf } from './return-preference.ts';

export interface WriteRouteOptions extends WriteDependencies {
  /** Path of the entity API below the router, e.g. `/entities`. */
  readonly path: string;
  readonly versions: ModelVersions;
  readonly unknownMembers: UnknownMembers;
}

/**
 * The write routes of the entity API (contract/writing.md#writing). With `modelVersion`, names and instances are
 * those of an earlier version of the model (contract/model-versions.md#model-versions).
 */
export function writeRoutes(options: WriteRouteOptions): readonly Route[] {
  const { path, versions, unknownMembers, ...deps } = options;
  const current = () => currentWriteDependencies(deps);
  const bodyOf = async (request: RoutedRequest, response: ServerResponse, principal: Principal): Promise<string> => {
    // The permit for a large body is released with the response: until then its instances are in memory.
    const { bytes } = await receiveBody(request, response, deps.maxBodyBytes);
    const body = decodeBody(bytes);
    assertBodySize(body, deps.read.limitsOf(principal));
    return body;
  };
  const targetOf = (request: RoutedRequest) => {
    const version = namedVersion(versions, queryOf(request)['modelVersion']);
    const named = pathParameter(request, 'entityName');
    return { version, entityName: version?.currentName(named) ?? named };
  };
  const patchOf = (request: RoutedRequest): 'merge' | 'operations' => {
    if (assertPatchType(request.headers['content-type']) !== JSON_PATCH) return 'merge';
    if (targetOf(request).version !== undefined)
      throw new PlatformError('REQ_INVALID_PARAMETER', "A JSON Patch cannot have the parameter 'modelVersion'");
    return 'operations';
  };
  const sendResult = (request: RoutedRequest, response: ServerResponse, result: WriteResponse): void => {
    const { version, entityName } = targetOf(request);
    respond(response, clientWriteResponse(version, entityName, result));
  };
  const receive = async (
    request: RoutedRequest,
    response: ServerResponse,
    principal: Principal,
  ): Promise<WriteRequest> => {
    const body = await bodyOf(request, response, principal);
    const { version, entityName } = targetOf(request);
    const plans = queryMembers(request, ['responseFetchPlan', 'responseView']);
    return {
      entityName,
      body: await currentBody(version, entityName, body),
      responsePlan: givenText(plans['responseFetchPlan']) ?? givenText(plans['responseView']),
      ifMatch: request.headers['if-match'],
      returns: returnPreferenceOf(request.headers['prefer']),
      unknownMembers: handlingFor(request, response, unknownMembers),
      url: publicUrlOf(request),
      idempotentCall: idempotentCallOf(request, body),
    };
  };

  const create: RouteHandler = async (request, response) => {
    const { principal, signal } = contextOf(request, response);
    const received = await receive(request, response, principal);
    sendResult(request, response, await createEntities(received, principal, await current(), signal));
  };
  const replaceOne: RouteHandler = async (request, response) => {
    const { principal, signal } = contextOf(request, response);
    const received = { ...(await receive(request, response, principal)), id: pathParameter(request, 'entityId') };
    sendResult(request, response, await updateEntity(received, principal, await current(), signal));
  };
  const replaceAll: RouteHandler = async (request, response) => {
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
    const received = { ...(await receive(request, response, principal)), patch };
    const update = patch === 'operations' ? patchEntities : updateEntities;
    sendResult(request, response, await update(received, principal, await current(), signal));
  };
  const deleteOne: RouteHandler = async (request, response) => {
    const { principal, signal } = contextOf(request, response);
    const received = {
      entityName: targetOf(request).entityName,
      id: pathParameter(request, 'entityId'),
      ifMatch: request.headers['if-match'],
      idempotentCall: idempotentCallOf(request, ''),
    };
    sendResult(request, response, await deleteEntity(received, principal, await current(), signal));
  };
  const deleteAll: RouteHandler = async (request, response) => {
    const { principal, signal } = contextOf(request, response);
    const body = await bodyOf(request, response, principal);
    const received = {
      entityName: targetOf(request).entityName,
      body,
      idempotentCall: idempotentCallOf(request, body),
    };
    sendResult(request, response, await deleteEntities(received, principal, await current(), signal));
  };

  return [
    { method: 'post', path: `${path}/:entityName`, handle: create },
    { method: 'put', path: `${path}/:entityName/:entityId`, handle: replaceOne },
    { method: 'put', path: `${path}/:entityName`, handle: replaceAll },
    { method: 'patch', path: `${path}/:entityName/:entityId`, handle: patchOne },
    { method: 'patch', path: `${path}/:entityName`, handle: patchAll },
    { method: 'delete', path: `${path}/:entityName/:entityId`, handle: deleteOne },
    { method: 'delete', path: `${path}/:entityName`, handle: deleteAll },
  ];
}

function idempotentCallOf(request: RoutedRequest, body: string): IdempotentCall | undefined {
  const key = parseIdempotencyKey(request.headers['idempotency-key']);
  if (key === undefined) return undefined;
  return { key, requestHash: hashRequest({ method: request.method, url: request.originalUrl, body }) };
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

/** An empty value counts as absent. */
const givenText = (value: ExactJson | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
