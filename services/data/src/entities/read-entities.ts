import type { Principal } from '@lintel/contracts';
import { isPlatformError, PlatformError } from '@lintel/errors';
import {
  assertReadable,
  type Page,
  pageOf,
  parseEntityId,
  parseRead,
  type RawReadRequest,
  type RowPosition,
  resolveEntity,
} from '@lintel/query';
import { countExactly, countRoughly, decideCount } from './count-list.ts';
import { assertInOrder } from './order-of-checks.ts';
import { cursorScope } from './paging/cursor-scope.ts';
import type { CountPreference, ReadPreferences } from './preferences.ts';
import type { ReadDependencies } from './read-dependencies.ts';
import { readFiltered, streamFiltered } from './read-filtered.ts';
import { enterLine, type Instance, type Line, type PageOf, readOne, readPage, streamPage } from './read-line.ts';

/** A request as the edge received it. */
export interface ReceivedRead extends RawReadRequest {
  /** Its parameters came in the body. */
  readonly isFromBody: boolean;
  readonly preferences: ReadPreferences;
}

/**
 * The read line: receive (`receive-read.ts`) → parse → resolve → secure → plan → compile
 * (`compile-query.ts`, once for each shape) → execute → shape (`read-line.ts`) → respond (`respond.ts`).
 *
 * A request with several mistakes is told the one that the contract puts first (`order-of-checks.ts`).
 */
export async function readEntities(
  request: ReceivedRead,
  principal: Principal,
  deps: ReadDependencies,
  signal: AbortSignal,
): Promise<ReadAnswer> {
  const model = deps.currentModel();
  const access = deps.loadAccess(principal);
  try {
    const entity = resolveEntity(model, request.entityName);
    assertReadable(entity, access.read);
    const id = request.id === undefined ? [] : parseEntityId(model, entity, request.id);
    const parsed = parseRead(request, deps.limits);
    const after =
      parsed.cursor === undefined ? undefined : deps.cursors.open(parsed.cursor, cursorScope(parsed, principal));
    const shown = parsed.dynamicAttributes ? await deps.modelWithDynamicAttributes() : model;
    const line = enterLine(parsed, shown, access, deps, false, after);
    switch (parsed.operation) {
      case 'instance':
        return instanceAnswer(await readOne(line, id, deps.database, signal));
      case 'count':
        return { kind: 'count', total: await countExactly(line, deps, signal) };
      case 'list': {
        const page = pageOf(parsed, deps.limits.maxFetchSize(entity.name));
        const seal = (end: RowPosition): string => deps.cursors.seal(end, cursorScope(parsed, principal));
        return await listAnswer(line, page, request.preferences.count, seal, deps, signal);
      }
      default:
        return parsed.operation satisfies never;
    }
  } catch (error) {
    if (isPlatformError(error) && error.status < 500) assertInOrder(request, model, access, deps);
    throw error;
  }
}

/** What a list answers beside its rows. */
interface ListHead {
  /** Only where it was asked for. */
  readonly total: number | undefined;
  /** How the rows were counted, where the client's preference decided that. */
  readonly appliedCount: CountPreference | undefined;
  /** Where the next page begins; absent behind a page that is not full. */
  readonly next: string | undefined;
}

export type ReadAnswer =
  | ({ readonly kind: 'instance' } & Instance)
  | { readonly kind: 'count'; readonly total: number }
  | ({ readonly kind: 'list'; readonly rows: readonly string[] } & ListHead)
  | ({ readonly kind: 'stream'; readonly batches: AsyncIterable<readonly string[]> } & ListHead);

/** Roots up to this many are answered from memory; more are streamed. */
const MOST_BUFFERED_ROWS = 1_000;

/** A missing instance and a hidden one are the same; the body is empty (decisions.md 1). */
function instanceAnswer(instance: Instance | undefined): ReadAnswer {
  if (instance === undefined) throw new PlatformError('DATA_INSTANCE_NOT_FOUND', '', { emptyBody: true });
  return { kind: 'instance', ...instance };
}

async function listAnswer(
  line: Line,
  page: Page,
  preferred: CountPreference | undefined,
  seal: (end: RowPosition) => string,
  deps: ReadDependencies,
  signal: AbortSignal,
): Promise<ReadAnswer> {
  const { kind: counted, applied: appliedCount } = decideCount(line, preferred);
  const nextOf = ({ end }: PageOf<unknown>): string | undefined => (end === undefined ? undefined : seal(end));
  const isStreamed = page.limit > MOST_BUFFERED_ROWS;
  if (line.prepared.isFiltered && isStreamed && !hasEnd(line)) {
    const total = counted === 'exact' ? await countWhole(line, deps, signal) : undefined;
    return { kind: 'stream', appliedCount, total, batches: streamFiltered(line, page, deps, signal), next: undefined };
  }
  if (line.prepared.isFiltered) {
    const isCountedHere = counted === 'exact' && line.after === undefined;
    const read = await readFiltered(line, page, isCountedHere, deps, signal);
    const total = counted === 'exact' ? (isCountedHere ? read.total : await countWhole(line, deps, signal)) : undefined;
    return { kind: 'list', appliedCount, total, rows: read.rows, next: nextOf(read) };
  }
  let total = counted === 'exact' ? await countExactly(line, deps, signal) : undefined;
  if (isStreamed) {
    if (counted === 'estimated') total = await countRoughly(line, page, undefined, deps, signal);
    const read = await streamPage(line, page, deps, signal);
    return { kind: 'stream', appliedCount, total, batches: read.rows, next: nextOf(read) };
  }
  const read = await readPage(line, page, deps, signal);
  if (counted === 'estimated') total = await countRoughly(line, page, read.rows.length, deps, signal);
  return { kind: 'list', appliedCount, total, rows: read.rows, next: nextOf(read) };
}

/** Whether the answer tells where the next page begins: where a limit was asked for. */
const hasEnd = ({ prepared }: Line): boolean => prepared.rows.positionColumns > 0;

/** The number of rows of the whole list, not of those behind a cursor. */
const countWhole = (line: Line, deps: ReadDependencies, signal: AbortSignal): Promise<number> =>
  countExactly(enterLine(line.parsed, line.model, line.access, deps), deps, signal);
