import type { Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import {
  assertReadable,
  type Page,
  pageOf,
  parseEntityId,
  parseRead,
  type RawReadRequest,
  resolveEntity,
} from '@lintel/query';
import type { ReadDependencies } from './read-dependencies.ts';
import { readFiltered } from './read-filtered.ts';
import { enterLine, type Instance, type Line, readBatches, readCount, readOne, readRows } from './read-line.ts';

/**
 * The read line: receive (`receive-read.ts`) → parse → resolve → secure → plan → compile
 * (`compile-query.ts`, once for each shape) → execute → shape (`read-line.ts`) → respond (`respond.ts`).
 *
 * Whether the caller may read the entity at all is decided first, so that nobody without that right
 * learns whether the rest of the request is well formed (contract-entities-queries-services.md §1.2).
 */
export async function readEntities(
  request: RawReadRequest,
  principal: Principal,
  deps: ReadDependencies,
  signal: AbortSignal,
): Promise<ReadAnswer> {
  const model = deps.currentModel();
  const entity = resolveEntity(model, request.entityName);
  const access = deps.loadAccess(principal);
  assertReadable(entity, access.read);
  const id = request.id === undefined ? [] : parseEntityId(model, entity, request.id);
  const parsed = parseRead(request, deps.limits);
  const line = enterLine(parsed, model, access, deps);
  switch (parsed.operation) {
    case 'instance':
      return instanceAnswer(await readOne(line, id, deps.database, signal));
    case 'count':
      return { kind: 'count', total: await countRows(line, deps, signal) };
    case 'list':
      return listAnswer(line, pageOf(parsed, deps.limits.maxFetchSize(entity.name)), deps, signal);
    default:
      return parsed.operation satisfies never;
  }
}

export type ReadAnswer =
  | ({ readonly kind: 'instance' } & Instance)
  | { readonly kind: 'count'; readonly total: number }
  /** `total` only where it was asked for. */
  | { readonly kind: 'list'; readonly total: number | undefined; readonly rows: readonly string[] }
  | {
      readonly kind: 'stream';
      readonly total: number | undefined;
      readonly batches: AsyncIterable<readonly string[]>;
    };

/** Roots up to this many are answered from memory; more are streamed. */
const MOST_BUFFERED_ROWS = 1_000;

/** A missing instance and a hidden one are the same; the body is empty (decisions.md 1). */
function instanceAnswer(instance: Instance | undefined): ReadAnswer {
  if (instance === undefined) throw new PlatformError('DATA_INSTANCE_NOT_FOUND', '', { emptyBody: true });
  return { kind: 'instance', ...instance };
}

async function countRows(line: Line, deps: ReadDependencies, signal: AbortSignal): Promise<number> {
  if (!line.prepared.isFiltered) return readCount(line, deps, signal);
  return (await readFiltered(line, { limit: 0, offset: 0 }, true, deps, signal)).total;
}

async function listAnswer(line: Line, page: Page, deps: ReadDependencies, signal: AbortSignal): Promise<ReadAnswer> {
  const { returnCount } = line.parsed;
  if (line.prepared.isFiltered) {
    const { rows, total } = await readFiltered(line, page, returnCount, deps, signal);
    return { kind: 'list', total: returnCount ? total : undefined, rows };
  }
  const total = returnCount ? await readCount(line, deps, signal) : undefined;
  if (page.limit > MOST_BUFFERED_ROWS) return { kind: 'stream', total, batches: readBatches(line, page, deps, signal) };
  return { kind: 'list', total, rows: await readRows(line, page, deps, signal) };
}
