import type { ServerResponse } from 'node:http';
import type { Principal } from '@lintel/contracts';
import {
  type Duplicates,
  decodeBody,
  hashRequest,
  type IdempotentCall,
  parseIdempotencyKey,
  type ReturnPreference,
  type UpsertRequest,
  type WriteDependencies,
  type WriteRequest,
} from '@lintel/entities';
import { PlatformError } from '@lintel/errors';
import {
  applyPreference,
  handlingFor,
  isRehearsal,
  pathParameter,
  preferencesOf,
  publicUrlOf,
  queryOf,
  type RoutedRequest,
  type UnknownMembers,
} from '@lintel/http';
import type { ExactJson } from '@lintel/query';
import { currentBody, type ModelVersions, namedVersion } from '../client-versions/client-version.ts';
import { receiveBody } from '../fair-shares/receive-body.ts';
import { assertBodySize } from '../limits/assert-body-size.ts';
import { assertPatchType, JSON_PATCH } from './patch-type.ts';
import { queryMembers } from './receive-read.ts';

export interface WriteReceiverOptions extends WriteDependencies {
  readonly versions: ModelVersions;
  readonly unknownMembers: UnknownMembers;
}

/** Reads requests that write. Every method throws PlatformError for what a client must change. */
export interface WriteReceiver {
  /** The text of the body, within the limits of the caller. */
  bodyOf(request: RoutedRequest, response: ServerResponse, principal: Principal): Promise<string>;
  /** The entity of the current model, and the version of the model that the request names. */
  targetOf(request: RoutedRequest): {
    readonly version: ReturnType<typeof namedVersion>;
    readonly entityName: string;
  };
  /** Whether the write is rolled back at its end; the response then names the preference. */
  rehearsalOf(request: RoutedRequest, response: ServerResponse): boolean;
  /** Whether the body of a PATCH is merged, or is a list of operations. */
  patchOf(request: RoutedRequest): 'merge' | 'operations';
  /** Returns how an upsert finds instances; undefined for other requests. */
  upsertOf(request: RoutedRequest, response: ServerResponse): Pick<UpsertRequest, 'upsert' | 'ifNoneMatch'> | undefined;
  /** The request without the id of the instance. */
  receive(request: RoutedRequest, response: ServerResponse, principal: Principal): Promise<WriteRequest>;
}

export function createWriteReceiver({
  versions,
  unknownMembers,
  maxBodyBytes,
  read,
}: WriteReceiverOptions): WriteReceiver {
  const bodyOf: WriteReceiver['bodyOf'] = async (request, response, principal) => {
    // The permit for a large body is released with the response: until then its instances are in memory.
    const { bytes } = await receiveBody(request, response, maxBodyBytes);
    const body = decodeBody(bytes);
    assertBodySize(body, read.limitsOf(principal));
    return body;
  };
  const targetOf: WriteReceiver['targetOf'] = (request) => {
    const version = namedVersion(versions, queryOf(request)['modelVersion']);
    const named = pathParameter(request, 'entityName');
    return { version, entityName: version?.currentName(named) ?? named };
  };
  const rehearsalOf: WriteReceiver['rehearsalOf'] = (request, response) => {
    if (!isRehearsal(request)) return false;
    if (targetOf(request).version !== undefined)
      throw new PlatformError('REQ_INVALID_PARAMETER', "A rehearsal cannot have the parameter 'modelVersion'");
    applyPreference(response, 'tx=rollback');
    return true;
  };
  const patchOf: WriteReceiver['patchOf'] = (request) => {
    if (assertPatchType(request.headers['content-type']) !== JSON_PATCH) return 'merge';
    if (targetOf(request).version !== undefined)
      throw new PlatformError('REQ_INVALID_PARAMETER', "A JSON Patch cannot have the parameter 'modelVersion'");
    return 'operations';
  };
  const upsertOf: WriteReceiver['upsertOf'] = (request, response) => {
    const { key } = queryMembers(request, ['key']);
    const duplicates = duplicatesOf(request.headers['prefer']);
    if (duplicates === undefined && request.method === 'POST') {
      if (key === undefined) return undefined;
      throw new PlatformError('REQ_INVALID_PARAMETER', "Parameter 'key' of POST needs the preference 'resolution'");
    }
    if (targetOf(request).version !== undefined)
      throw new PlatformError('REQ_INVALID_PARAMETER', "An upsert cannot have the parameter 'modelVersion'");
    const ifNoneMatch = request.headers['if-none-match'];
    if (ifNoneMatch !== undefined && ifNoneMatch.trim() !== '*')
      throw new PlatformError('REQ_INVALID_PARAMETER', "If-None-Match of an upsert must be '*'");
    if (duplicates !== undefined) applyPreference(response, `resolution=${duplicates}-duplicates`);
    return {
      upsert: { key: typeof key === 'string' ? key : undefined, duplicates: duplicates ?? 'merge' },
      ifNoneMatch,
    };
  };
  const receive: WriteReceiver['receive'] = async (request, response, principal) => {
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
      isRehearsal: rehearsalOf(request, response),
      idempotentCall: idempotentCallOf(request, body),
    };
  };

  return { bodyOf, targetOf, rehearsalOf, patchOf, upsertOf, receive };
}

/** The call that an `Idempotency-Key` names; undefined without the header. */
export function idempotentCallOf(request: RoutedRequest, body: string): IdempotentCall | undefined {
  const key = parseIdempotencyKey(request.headers['idempotency-key']);
  if (key === undefined) return undefined;
  return { key, requestHash: hashRequest({ method: request.method, url: request.originalUrl, body }) };
}

/** An empty value counts as absent. */
const givenText = (value: ExactJson | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** The preference `return` of a write; other values are ignored (RFC 7240 §2). */
function returnPreferenceOf(header: string | string[] | undefined): ReturnPreference | undefined {
  if (header === undefined) return undefined;
  const value = preferencesOf(header).get('return');
  return value === 'minimal' || value === 'representation' ? value : undefined;
}

/** The preference `resolution`: another value must not be executed as a plain creation by mistake. */
function duplicatesOf(header: string | string[] | undefined): Duplicates | undefined {
  const value = header === undefined ? undefined : preferencesOf(header).get('resolution');
  if (value === undefined) return undefined;
  if (value === 'merge-duplicates') return 'merge';
  if (value === 'ignore-duplicates') return 'ignore';
  throw new PlatformError(
    'REQ_INVALID_PARAMETER',
    "Preference 'resolution' must be merge-duplicates or ignore-duplicates",
  );
}
