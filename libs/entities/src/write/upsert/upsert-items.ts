import { PlatformError } from '@lintel/errors';
import type { Entity } from '@lintel/metadata';
import { isExactObject } from '@lintel/query';
import { GRAPHS, mapInSlices, pauseAt } from '../../slices/map-in-slices.ts';
import { checkRowMatches } from '../check-if-match.ts';
import { type CreateBody, elementsOf, parseCreates, type SentElement } from '../create-items.ts';
import type { SaveItem } from '../merge/build-graph.ts';
import { ID_KEY, type MatchKey } from '../model/match-keys.ts';
import { cannotDeserialize } from '../parse/deserialization-error.ts';
import { keyMemberOf, parseKey, readKey } from '../parse/parse-key.ts';
import { findDuplicate, type StoredRow } from '../rows/rows.ts';
import type { WriteScope } from '../scope/write-scope.ts';
import { parseUpdate } from '../update-items.ts';
import type { UpsertRequest } from '../upsert-entities.ts';
import { keyText, type Scalar } from '../values/value.ts';
import type { WriteCall } from '../write-call.ts';
import { type FoundRows, findVisible } from './find-visible.ts';
import { isIdKey, keyInputOf, keyValuesIn } from './named-key.ts';
import { resolveReferences } from './resolve-references.ts';

type UpsertCall = WriteCall<UpsertRequest>;

/** An element with the values of its key; without them it is a new instance. */
export interface KeyedElement extends SentElement {
  /** Position in the body. */
  readonly at: number;
  readonly values: readonly Scalar[] | undefined;
}

/**
 * Reads the key of each element, whose references may be named by keys themselves.
 *
 * @throws PlatformError for an element without one: `null` equals nothing
 */
export async function keyedElements(
  call: UpsertCall,
  scope: WriteScope,
  body: CreateBody,
  match: MatchKey,
): Promise<readonly KeyedElement[]> {
  const { entity } = body;
  const elements = elementsOf(body);
  if (isIdKey(match)) return mapInSlices(elements, (element, at) => withId(call, entity, { ...element, at }));
  const inputs = await mapInSlices(elements, ({ json, path }) => ({
    input: keyInputOf(call, entity, match, json, path),
    stored: undefined,
  }));
  const hasReference = match.slots.some(({ attribute }) => attribute.kind === 'reference');
  const items: readonly SaveItem[] = hasReference ? await resolveReferences(call, scope, inputs) : inputs;
  return mapInSlices(elements, (element, at) => {
    const values = keyValuesIn(match, (items[at] as SaveItem).input);
    if (typeof values === 'string') throw withoutValue(element.path, values);
    return { ...element, at, values };
  });
}

function withId({ model, request }: UpsertCall, entity: Entity, element: Omit<KeyedElement, 'values'>): KeyedElement {
  const { json, path } = element;
  if (!isExactObject(json))
    throw cannotDeserialize(path === '' ? 'The body must be a JSON object' : `'${path}' must be a JSON object`);
  const values = parseKey(model, entity, json, path, 'other');
  if (values === undefined && request.upsert.key !== undefined) throw withoutValue(path, ID_KEY);
  return { ...element, values };
}

const withoutValue = (path: string, name: string): PlatformError =>
  cannotDeserialize(
    `Attribute '${path === '' ? name : `${path}.${name}`}' must have a valid value: it is part of the key`,
  );

/** An item with the position of its element in the body. */
export interface UpsertItem extends SaveItem {
  readonly at: number;
}

export interface UpsertItems {
  /** To be saved, in the order of their keys, so that concurrent requests insert in the same order. */
  readonly saved: readonly UpsertItem[];
  /** Duplicates that are ignored. */
  readonly ignored: readonly { readonly at: number; readonly row: StoredRow }[];
  /** Number of stored rows with one of the keys, visible or not. */
  readonly found: number;
}

/**
 * Finds and locks the stored instances, and parses each element as a creation or an update. A row that the caller does not
 * see is not found, so that its element is refused as by a creation.
 */
export async function loadUpserts(
  call: UpsertCall,
  scope: WriteScope,
  body: CreateBody,
  match: MatchKey,
): Promise<UpsertItems> {
  const { entity, isBatch } = body;
  const elements = await keyedElements(call, scope, body, match);
  const { rows, found } = await findStored(call, scope, entity, { match, elements, lock: 'update' });
  if (!isBatch) await checkPreconditions(call, scope, entity, rows[0]);
  const created: KeyedElement[] = [];
  const saved: UpsertItem[] = [];
  const ignored: { at: number; row: StoredRow }[] = [];
  for (const element of elements) {
    const { at, json, path } = element;
    await pauseAt(at, GRAPHS);
    const row = rows[at];
    if (row === undefined) created.push(element);
    else if (call.request.upsert.duplicates === 'ignore') ignored.push({ at, row });
    else {
      assertSameId(call, row, element);
      saved.push({ ...(await parseUpdate(call, row, json, path)), at });
    }
  }
  const parsed = await parseCreates(call, entity, created, 'other');
  for (const [index, item] of parsed.entries()) {
    const { at, path } = created[index] as KeyedElement;
    assertSettable(match, item, path);
    saved.push({ ...item, at });
  }
  const resolved = await resolveReferences(call, scope, saved);
  const texts = elements.map(({ values }) => JSON.stringify(values ?? []).toLowerCase());
  const items = resolved.map((item, index) => ({ ...item, at: (saved[index] as UpsertItem).at }));
  return { saved: items.sort(byText(({ at }) => texts[at] ?? '')), ignored, found };
}

const byText =
  <T>(textOf: (item: T) => string) =>
  (a: T, b: T): number => {
    const [left, right] = [textOf(a), textOf(b)];
    return left === right ? 0 : left < right ? -1 : 1;
  };

interface Keyed {
  readonly match: MatchKey;
  readonly elements: readonly KeyedElement[];
  readonly lock: 'update' | 'delete';
}

/** Finds and locks the rows that the caller sees, in the order of their elements. */
export async function findStored(
  call: UpsertCall,
  scope: WriteScope,
  entity: Entity,
  { match, elements, lock }: Keyed,
): Promise<FoundRows> {
  const keyed = elements.filter(({ values }) => values !== undefined);
  const selection = { match, values: keyed.flatMap(({ values }) => (values === undefined ? [] : [values])) };
  const duplicate = await findDuplicate(scope.transaction, selection);
  if (duplicate !== undefined) {
    const [first, other] = duplicate.map((at) => keyed[at]?.path);
    throw cannotDeserialize(`'${first}' and '${other}' have the same ${match.paths.join(', ')}`);
  }
  const rows: (StoredRow | undefined)[] = new Array(elements.length).fill(undefined);
  const visible = await findVisible(call, scope, entity, selection, lock);
  for (const [index, { at }] of keyed.entries()) rows[at] = visible.rows[index];
  return { rows, found: visible.found };
}

/** @throws PlatformError REQ_PRECONDITION_FAILED */
async function checkPreconditions(
  call: UpsertCall,
  scope: WriteScope,
  entity: Entity,
  row: StoredRow | undefined,
): Promise<void> {
  const { ifMatch, ifNoneMatch } = call.request;
  if (row !== undefined && ifNoneMatch !== undefined)
    throw new PlatformError('REQ_PRECONDITION_FAILED', 'The instance exists');
  if (ifMatch === undefined) return;
  if (row === undefined) throw new PlatformError('REQ_PRECONDITION_FAILED', 'The instance does not exist');
  await checkRowMatches(ifMatch, row, entity, scope, call);
}

/** An id that is sent together with another key cannot change. */
function assertSameId({ model }: UpsertCall, row: StoredRow, { json, path }: SentElement): void {
  const sent = isExactObject(json) ? keyMemberOf(row.entity, json) : undefined;
  if (sent === undefined) return;
  const key = readKey(model, row.entity, sent);
  if (key === undefined || keyText(key) !== keyText(row.key))
    throw cannotDeserialize(
      `Attribute '${path === '' ? '' : `${path}.`}id' is not the id of the instance with this key`,
    );
}

/** A new instance that lacks its key would be created again by each repeat. */
function assertSettable({ slots }: MatchKey, { input }: SaveItem, path: string): void {
  const denied = slots.find((slot) => !slot.isKey && !input.values.has(slot.path));
  if (denied === undefined) return;
  const name = path === '' ? denied.path : `${path}.${denied.path}`;
  throw new PlatformError(
    'ACCESS_CREATE_DENIED',
    `Attribute '${name}' may not be modified, and a new instance needs it`,
  );
}
