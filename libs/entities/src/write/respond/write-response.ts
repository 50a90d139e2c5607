import { entityTag } from '@lintel/reading';
import type { SavedInstance } from '../read-back/read-saved.ts';

/** A response as it is sent. */
export interface WriteResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text; empty for a response without a body. */
  readonly body: string;
}

/** The preference `return` (RFC 7240 §4.2): no body, or the instance as a read without a plan returns it. */
export type ReturnPreference = 'minimal' | 'representation';

/** The response to a deletion. */
export const NO_CONTENT: WriteResponse = Object.freeze({ status: 204, headers: Object.freeze({}), body: '' });

/**
 * The response to a create (contract/writing.md#create).
 *
 * @param url public URL of the request
 */
export function createdResponse(
  isBatch: boolean,
  instances: readonly SavedInstance[],
  url: string,
  preference: ReturnPreference | undefined,
): WriteResponse {
  const [first] = instances;
  const location = isBatch || first === undefined ? url : `${url}/${encodeURIComponent(first.pathId)}`;
  return responseOf({ status: 201, minimal: 201 }, isBatch, instances, { Location: location }, preference);
}

/** The response to an update (contract/writing.md#update). */
export const updatedResponse = (
  isBatch: boolean,
  instances: readonly SavedInstance[],
  preference: ReturnPreference | undefined,
): WriteResponse => responseOf({ status: 200, minimal: 204 }, isBatch, instances, {}, preference);

/** Effect of an upsert on an instance. */
export type UpsertStatus = 'created' | 'updated' | 'unchanged';

/**
 * The response to an upsert (contract/writing.md#upsert): the instances with their statuses.
 *
 * @param url public URL of the request
 */
export function upsertedResponse(
  isBatch: boolean,
  instances: readonly SavedInstance[],
  statuses: readonly UpsertStatus[],
  url: string,
  preference: ReturnPreference | undefined,
): WriteResponse {
  const isCreated = statuses.length > 0 && statuses.every((status) => status === 'created');
  const response = isCreated
    ? createdResponse(isBatch, instances, url, preference)
    : updatedResponse(isBatch, instances, preference);
  if (response.body === '') return response;
  const marked = instances.map(({ json }, at) => `{"${UPSERT_STATUS}":"${statuses[at]}",${json.slice(1)}`);
  return { ...response, body: isBatch ? `[${marked.join(',')}]` : marked.join('') };
}

/** The member of the response to an upsert that is no attribute. */
const UPSERT_STATUS = '_status';

/** A batch is an array in the order of the request; a single instance has a tag. */
function responseOf(
  { status, minimal }: { readonly status: number; readonly minimal: number },
  isBatch: boolean,
  instances: readonly SavedInstance[],
  own: WriteResponse['headers'],
  preference: ReturnPreference | undefined,
): WriteResponse {
  const [first] = instances;
  const isSingle = !isBatch && first !== undefined;
  const isMinimal = preference === 'minimal';
  const applied = preference === undefined ? own : { ...own, 'Preference-Applied': `return=${preference}` };
  // Without a version the tag is one of a body, which was not read.
  const hasTag = isSingle && !(isMinimal && first.version === undefined);
  const headers = hasTag ? { ...applied, ETag: entityTag(first) } : applied;
  if (isMinimal) return { status: minimal, headers, body: '' };
  return { status, headers, body: isSingle ? first.json : `[${instances.map(({ json }) => json).join(',')}]` };
}
