import type { Principal } from '@lintel/contracts';
import { isPlatformError, PlatformError } from '@lintel/errors';
import type { Entity } from '@lintel/metadata';
import type { Transaction } from '@lintel/persistence';
import { assertReadable, type ExactJson, isExactObject, parseRead, readExactJson } from '@lintel/query';
import {
  assertAffordable,
  bindRead,
  executeCount,
  executeRows,
  type JsonRow,
  type PreparedRead,
  planOf,
  prepareRead,
  shapeRows,
  unrecorded,
} from '@lintel/reading';
import { findForChange, type NamedKey } from '../authorize/load-for-change.ts';
import { keyMemberOf, readKey } from '../parse/parse-key.ts';
import { unknownMember } from '../parse/unknown-names.ts';
import type { StoredRow } from '../rows/rows.ts';
import type { WriteScope } from '../scope/write-scope.ts';
import { keyText } from '../values/value.ts';
import type { WriteDependencies } from '../write-dependencies.ts';

/** The instances that a write is about. */
export interface Affected {
  readonly filter: ExactJson;
  /** More are refused. */
  readonly maxAffected: number;
}

/** Who writes. */
export interface Caller {
  readonly principal: Principal;
  readonly deps: WriteDependencies;
  readonly signal: AbortSignal;
}

/**
 * Prepares the search for the instances. A filter decides what is changed: what other requests ignore in one is refused.
 *
 * @throws PlatformError ACCESS_READ_DENIED, REQ_INVALID_FILTER, REQ_UNKNOWN_MEMBER, REQ_COST_EXCEEDED
 */
export async function prepareAffected(
  entity: Entity,
  { filter, maxAffected }: Affected,
  { principal, deps, signal }: Caller,
): Promise<PreparedRead> {
  const access = unrecorded(deps.read.loadAccess(principal));
  assertReadable(entity, access.read);
  const parsed = parseRead(
    {
      operation: 'list',
      entityName: entity.name,
      members: { fetchPlan: planOf(entity, undefined), filter, limit: String(maxAffected + 1) },
      filterRequired: true,
      noteUnknown: ([first]) => {
        if (first !== undefined) throw unknownMember(first);
      },
    },
    { ...deps.read.limits, inlineFetchPlansEnabled: true },
    deps.read.limitsOf(principal),
  );
  const [unknown] = parsed.unknown;
  if (unknown !== undefined) throw unknownMember(unknown);
  const read = prepareRead(parsed, deps.environment.model, access, deps.read);
  await assertAffordable(read, undefined, deps.read, signal);
  return read;
}

/** Searches until all instances that match are locked; each round may find what others have just written. */
const MAX_ROUNDS = 5;

/**
 * Finds and locks the instances that the caller sees and that match the filter. It is evaluated again once they are
 * locked, so that all that match then, and no others, are affected, whatever concurrent writes did before.
 *
 * @throws PlatformError DATA_TOO_MANY_AFFECTED with their number, DATA_UNAVAILABLE
 */
export async function lockAffected(
  scope: WriteScope,
  entity: Entity,
  read: PreparedRead,
  maxAffected: number,
  lock: 'update' | 'delete',
  caller: Caller,
): Promise<readonly StoredRow[]> {
  const locked = new Map<string, StoredRow>();
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const found = await search(scope, entity, read, maxAffected, caller.signal);
    const missing = found.filter(({ key }) => !locked.has(keyText(key)));
    if (missing.length === 0) return found.flatMap(({ key }) => locked.get(keyText(key)) ?? []);
    const rows = await findForChange(scope, entity, missing, caller.principal, caller.deps, lock);
    for (const row of rows) if (!isPlatformError(row)) locked.set(keyText(row.key), row);
  }
  throw new PlatformError('DATA_UNAVAILABLE', 'Other writes change the instances of the filter; send it again', {
    headers: { 'Retry-After': '1' },
  });
}

async function search(
  { model, transaction }: WriteScope,
  entity: Entity,
  read: PreparedRead,
  maxAffected: number,
  signal: AbortSignal,
): Promise<readonly NamedKey[]> {
  const toKey = (json: string): NamedKey => {
    const members = readExactJson(json);
    const id = isExactObject(members) ? keyMemberOf(entity, members) : undefined;
    const key = id === undefined ? undefined : readKey(model, entity, id);
    if (key === undefined) throw new Error(`An instance of ${entity.name} was returned without its id`);
    return { key, text: typeof id === 'string' ? id : JSON.stringify(id) };
  };
  const keys: NamedKey[] = [];
  let found = 0;
  for await (const rows of matchingRows(read, maxAffected, transaction, signal)) {
    const visible = await shapeRows(read, rows, (json) => json);
    found += visible.length;
    if (found <= maxAffected) keys.push(...visible.map(toKey));
  }
  if (found <= maxAffected) return keys;
  const number = read.compiled.isFiltered
    ? found
    : await executeCount(bindRead(read, read.compiled.count()), read, transaction, signal);
  throw new PlatformError(
    'DATA_TOO_MANY_AFFECTED',
    `The filter finds ${number} instances of ${entity.name}, and max-affected is ${maxAffected}`,
  );
}

/** Rows that are in memory together where only code can choose them: then any number may match. */
const TOGETHER = 200;

/** The rows that match; where code chooses them all, else one more than may be affected. */
async function* matchingRows(
  read: PreparedRead,
  maxAffected: number,
  transaction: Transaction,
  signal: AbortSignal,
): AsyncGenerator<readonly JsonRow[]> {
  const statement = bindRead(read, read.compiled.rows, { page: { limit: maxAffected + 1, offset: 0 } });
  if (!read.compiled.isFiltered) {
    yield await executeRows(statement, read, transaction, signal);
    return;
  }
  const text = `DECLARE affected NO SCROLL CURSOR FOR ${statement.text}`;
  await executeRows({ ...statement, text }, { isKnown: false }, transaction, signal);
  for (let length = TOGETHER; length === TOGETHER; ) {
    const rows = await transaction.query<JsonRow>({ text: `FETCH ${TOGETHER} FROM affected`, values: [] }, signal);
    length = rows.length;
    yield rows;
  }
  await transaction.query({ text: 'CLOSE affected', values: [] }, signal);
}
