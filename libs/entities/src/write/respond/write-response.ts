import { entityTag } from '../../read/entity-tag.ts';
import type { SavedInstance } from '../read-back/read-saved.ts';

/** A response as it is sent. */
export interface WriteResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text; empty for a response without a body. */
  readonly body: string;
}

/** The response to a deletion. */
export const NO_CONTENT: WriteResponse = Object.freeze({ status: 204, headers: Object.freeze({}), body: '' });

/**
 * The response to a create (contract/writing.md#create).
 *
 * @param url public URL of the request
 */
export function createdResponse(isBatch: boolean, instances: readonly SavedInstance[], url: string): WriteResponse {
  const [first] = instances;
  const location = isBatch || first === undefined ? url : `${url}/${encodeURIComponent(first.pathId)}`;
  return responseOf(201, isBatch, instances, { Location: location });
}

/** The response to an update (contract/writing.md#update). */
export const updatedResponse = (isBatch: boolean, instances: readonly SavedInstance[]): WriteResponse =>
  responseOf(200, isBatch, instances, {});

/** A batch is an array in the order of the request; a single instance has a tag. */
function responseOf(
  status: number,
  isBatch: boolean,
  instances: readonly SavedInstance[],
  headers: WriteResponse['headers'],
): WriteResponse {
  const [first] = instances;
  if (isBatch || first === undefined)
    return { status, headers, body: `[${instances.map(({ json }) => json).join(',')}]` };
  return { status, headers: { ...headers, ETag: entityTag(first) }, body: first.json };
}
