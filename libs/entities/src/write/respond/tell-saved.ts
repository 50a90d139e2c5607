import { entityTag } from '../../read/entity-tag.ts';
import type { SavedInstance } from '../read-back/read-saved.ts';

/** An answer as it goes over the wire. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text; empty for an answer without a body. */
  readonly body: string;
}

/** The answer to a deletion. */
export const TOLD_DELETED: HttpAnswer = Object.freeze({ status: 204, headers: Object.freeze({}), body: '' });

/**
 * The answer to a create (contract/writing.md#create).
 *
 * @param url of the request, as the client knows it
 */
export function tellCreated(isBatch: boolean, instances: readonly SavedInstance[], url: string): HttpAnswer {
  const [first] = instances;
  const location = isBatch || first === undefined ? url : `${url}/${encodeURIComponent(first.pathId)}`;
  return tell(201, isBatch, instances, { Location: location });
}

/** The answer to an update (contract/writing.md#update). */
export const tellUpdated = (isBatch: boolean, instances: readonly SavedInstance[]): HttpAnswer =>
  tell(200, isBatch, instances, {});

/** A batch is an array in the order of the request; a single instance has a tag. */
function tell(
  status: number,
  isBatch: boolean,
  instances: readonly SavedInstance[],
  headers: HttpAnswer['headers'],
): HttpAnswer {
  const [first] = instances;
  if (isBatch || first === undefined)
    return { status, headers, body: `[${instances.map(({ json }) => json).join(',')}]` };
  return { status, headers: { ...headers, ETag: entityTag(first) }, body: first.json };
}
