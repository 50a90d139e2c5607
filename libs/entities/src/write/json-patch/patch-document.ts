import { type Entity, entityOf, type Model } from '@lintel/metadata';
import { type ExactJson, type ExactObject, isExactObject, SECURITY_TOKEN } from '@lintel/query';
import type { PatchHints } from '../parse/parse-instance.ts';
import { keyMemberOf, readKey } from '../parse/parse-key.ts';
import { keyText } from '../values/value.ts';
import type { PatchPlan } from './patch-plan.ts';

/** An instance or an embedded object, as the caller sees it, with what the patch has changed so far. */
export interface ObjectDraft {
  readonly entity: Entity;
  /** Id, entity and security token of a stored instance. */
  readonly identity: ExactObject;
  /** Values that were read or set. */
  readonly values: Map<string, ExactJson>;
  /** Attributes whose values the patch sets. */
  readonly changed: Set<string>;
  /** Embedded objects, and single children that exist. */
  readonly objects: Map<string, ObjectDraft>;
  readonly collections: Map<string, CollectionDraft>;
}

/** The members of a collection, and what the patch does to them. */
export interface CollectionDraft {
  /** Those that the caller sees and the patch has not removed, by the text of their keys. */
  readonly members: Map<string, ObjectDraft>;
  readonly removed: Map<string, ExactJson>;
  /** Objects of new members, with the text of the key of those that have one. */
  readonly added: { readonly json: ExactObject; readonly at: number; readonly key: string | undefined }[];
}

/** An object without values that were read. */
export const newObject = (entity: Entity, identity: ExactObject = {}): ObjectDraft => ({
  entity,
  identity,
  values: new Map(),
  changed: new Set(),
  objects: new Map(),
  collections: new Map(),
});

/** A collection of which no member was read. */
export const newCollection = (): CollectionDraft => ({ members: new Map(), removed: new Map(), added: [] });

/** The object as it was read with the plan. */
export function draftOf(model: Model, plan: PatchPlan, json: ExactObject): ObjectDraft {
  const draft = newObject(plan.entity, identityOf(json));
  for (const name of plan.values.keys()) draft.values.set(name, memberOf(json, name) ?? null);
  for (const [name, inner] of plan.objects) {
    const value = memberOf(json, name);
    const isEmbedded = inner.entity.kind !== 'entity';
    if (isExactObject(value)) draft.objects.set(name, draftOf(model, inner, value));
    else if (isEmbedded) draft.objects.set(name, draftOf(model, inner, {}));
  }
  for (const [name, inner] of plan.members) {
    const collection = newCollection();
    const items = memberOf(json, name);
    for (const item of Array.isArray(items) ? (items as readonly ExactJson[]) : []) {
      if (!isExactObject(item)) continue;
      const id = keyMemberOf(inner.entity, item);
      const key = id === undefined ? undefined : readKey(model, inner.entity, id);
      if (key !== undefined) collection.members.set(keyText(key), draftOf(model, inner, item));
    }
    draft.collections.set(name, collection);
  }
  return draft;
}

const memberOf = (json: ExactObject, name: string): ExactJson | undefined =>
  Object.hasOwn(json, name) ? json[name] : undefined;

const IDENTITY = ['id', '_entityName', SECURITY_TOKEN];

const identityOf = (json: ExactObject): ExactObject =>
  Object.fromEntries(IDENTITY.flatMap((name) => (Object.hasOwn(json, name) ? [[name, json[name] as ExactJson]] : [])));

/**
 * The body of a merge patch that does what the operations did. An array for a collection whose members were addressed
 * has only those that are new or changed.
 */
export function bodyOf(model: Model, draft: ObjectDraft, hints: PatchHints): ExactObject {
  const body: Record<string, ExactJson> = {};
  for (const name of draft.changed) body[name] = draft.values.get(name) ?? null;
  for (const [name, inner] of draft.objects) {
    const own = bodyOf(model, inner, hints);
    const value = body[name];
    if (isExactObject(value)) body[name] = { ...value, ...own };
    else if (Object.keys(own).length > 0 && value === undefined) body[name] = { ...inner.identity, ...own };
  }
  for (const [name, collection] of draft.collections) {
    if (body[name] !== undefined) continue;
    const isAssociation = isAssociationOf(model, draft.entity, name);
    const changed = [...collection.members.values()].flatMap((member): ExactObject[] => {
      const own = bodyOf(model, member, hints);
      return isAssociation || Object.keys(own).length === 0 ? [] : [labelled({ ...member.identity, ...own }, hints)];
    });
    const added = collection.added.map(({ json, at }) => labelled(json, hints, at));
    if (changed.length === 0 && added.length === 0 && collection.removed.size === 0) continue;
    const items = [...changed, ...added];
    hints.removed.set(items, [...collection.removed.values()]);
    body[name] = items;
  }
  return body;
}

function isAssociationOf(model: Model, entity: Entity, name: string): boolean {
  const attribute = entityOf(model, entity.name).attributes.get(name);
  return attribute?.kind === 'reference' && !attribute.composition;
}

/** Members are named by their ids, those without one by the operation that adds them. */
function labelled(json: ExactObject, { labels }: PatchHints, at?: number): ExactObject {
  const id = Object.hasOwn(json, 'id') ? json['id'] : undefined;
  const isNamed = id !== undefined && id !== null;
  labels.set(json, isNamed ? (typeof id === 'string' ? id : JSON.stringify(id)) : `operations[${at ?? 0}]`);
  return json;
}
