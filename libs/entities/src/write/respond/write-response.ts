import { entityTag } from '../../read/entity-tag.ts';
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
