import type { Entity } from '@lintel/metadata';
import { hasCompositeKey, idOf, isExactObject, keyInSql, parseRead, readExactJson, UNLIMITED } from '@lintel/query';
import {
  bindRead,
  type CallerAccess,
  executeRows,
  type Instance,
  membersOf,
  noteRead,
  type PreparedRead,
  planOf,
  prepareRead,
  prepareReadBack,
  type ReadBackOptions,
  readOne,
  shapeRows,
} from '@lintel/reading';
import { keyMemberOf, readKey } from '../parse/parse-key.ts';
import type { WriteScope } from '../scope/write-scope.ts';
import { type Key, keyText } from '../values/value.ts';
import type { WriteDependencies } from '../write-dependencies.ts';

/** The form in which each instance is read. */
export interface Asked extends ReadBackOptions {
  /** Text of the plan; absent for the identity alone. */
  readonly plan?: string | undefined;
}

/** Instances that are on their way, by the text of their keys. */
export interface Reading<T> {
  /** Rows are passed on unchanged. Otherwise application code is involved, which may fail. */
  readonly isPlain: boolean;
  readonly result: Promise<T>;
}

/**
 * Reads instances of one entity as any read does, inside the transaction: many in one statement, except those with
 * composite keys, which the filter language cannot express. The statements are sent when this returns.
 *
 * @returns the instances that are visible with the access, by the text of the key. Only an instance that is requested
 *   alone has its version
 */
export function readMany(
  scope: WriteScope,
  entity: Entity,
  keys: readonly Key[],
  asked: Asked,
  access: CallerAccess,
  { read: reading }: Pick<WriteDependencies, 'read'>,
): Reading<ReadonlyMap<string, Instance>> {
  if (keys.length === 0 || !access.read.entity(entity.name).canRead)
    return { isPlain: true, result: Promise.resolve(new Map()) };
  const isMany = keys.length > 1 && !hasCompositeKey(entity);
  const read = isMany
    ? prepareRead(parsedOf(scope, entity, keys, asked), scope.model, access, reading, { isUnlimited: true })
    : prepareReadBack(entity, asked.plan, access, reading, asked);
  if (read === undefined) return { isPlain: true, result: Promise.resolve(new Map()) };
  const isPlain = read.compiled.rows.shape.kind === 'text';
  return { isPlain, result: isMany ? readTogether(scope, entity, read) : readEach(scope, entity, keys, read) };
}

async function readEach(scope: WriteScope, entity: Entity, keys: readonly Key[], read: PreparedRead) {
  const found = await Promise.all(
    keys.map((key) => readOne(read, keyInSql(scope.model, entity, key), scope.transaction, undefined)),
  );
  return new Map(keys.flatMap((key, at) => (found[at] === undefined ? [] : [[keyText(key), found[at]]])));
}

async function readTogether(scope: WriteScope, entity: Entity, read: PreparedRead) {
  const rows = await executeRows(bindRead(read, read.compiled.rows), read, scope.transaction, undefined);
  const toEntry = (json: string): [string, Instance] => [textOfKey(scope, entity, json), { json, version: undefined }];
  const found = new Map(await shapeRows(read, rows, toEntry));
  await noteRead(
    read,
    [...found.values()].map(({ json }) => json),
  );
  return found;
}

function parsedOf({ model }: WriteScope, entity: Entity, keys: readonly Key[], asked: Asked) {
  const value = readExactJson(JSON.stringify(keys.map((key) => idOf(model, entity, key))));
  const filter = { conditions: [{ property: entity.key?.attribute ?? 'id', operator: 'in', value }] };
  const members = { fetchPlan: planOf(entity, asked.plan), filter, ...membersOf(asked) };
  return parseRead(
    { operation: 'list', entityName: entity.name, members },
    { inlineFetchPlansEnabled: true },
    UNLIMITED,
  );
}

function textOfKey({ model }: WriteScope, entity: Entity, json: string): string {
  const members = readExactJson(json);
  const id = isExactObject(members) ? keyMemberOf(entity, members) : undefined;
  const key = id === undefined ? undefined : readKey(model, entity, id);
  if (key === undefined) throw new Error(`An instance of ${entity.name} was returned without its id`);
  return keyText(key);
}
