import type { EntityInfo } from '@lintel/client';
import type { RecordModel } from './record-model.ts';

/** An instance with an id that pages can have in an address. */
export interface ProviderRecord {
  readonly id: string | number;
  // biome-ignore lint/suspicious/noExplicitAny: pages know the attributes of their resources
  readonly [attribute: string]: any;
}

/**
 * The record of an instance: an id of several attributes becomes a text. Names of entities are left out, since pages would
 * show them as a column of lists and as the text of references.
 */
export function toRecord(model: Pick<RecordModel, 'entityInfo'>, entity: EntityInfo, instance: object): ProviderRecord {
  const record = withoutEntityNames(model, entity, instance);
  const { id } = record;
  return { ...record, id: typeof id === 'object' && id !== null ? JSON.stringify(id) : (id as string | number) };
}

function withoutEntityNames(
  model: Pick<RecordModel, 'entityInfo'>,
  { properties }: EntityInfo,
  instance: object,
): Readonly<Record<string, unknown>> {
  const { _entityName, ...record } = instance as Record<string, unknown>;
  for (const { name, attributeType, type } of properties) {
    const target = attributeType === 'DATATYPE' ? undefined : model.entityInfo(type);
    const value = record[name];
    if (target === undefined || typeof value !== 'object' || value === null) continue;
    record[name] = Array.isArray(value)
      ? value.map((each: object) => withoutEntityNames(model, target, each))
      : withoutEntityNames(model, target, value);
  }
  return record;
}

/** The id of the API for the id of a record. */
export function toId(id: unknown): string | number | object {
  if (typeof id === 'number') return id;
  const text = String(id);
  return text.startsWith('{') ? (JSON.parse(text) as object) : text;
}

/** The tag of the version that a record shows, for `If-Match`: undefined if the entity has no version, or it is hidden. */
export function tagOfVersion(record: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const version = record?.['version'];
  // The service compares the version alone.
  return version === undefined || version === null ? undefined : `"${version}."`;
}

/** The option `deleted` of a request, from the `meta` of its framework. */
export const binOf = (meta: unknown): { readonly deleted?: 'only' | 'with' } => {
  const deleted = (meta as { readonly deleted?: unknown } | undefined)?.deleted;
  return deleted === 'only' || deleted === 'with' ? { deleted } : {};
};

/** Options of a list, from the `meta` of its framework; `q` are words of searchable attributes. */
export const selectionOf = (meta: unknown): { readonly deleted?: 'only' | 'with'; readonly q?: string } => {
  const q = (meta as { readonly q?: unknown } | undefined)?.q;
  return { ...binOf(meta), ...(typeof q === 'string' && { q }) };
};

/** The option of a removal: from the bin for good. */
export const removalOf = (meta: unknown): { readonly deleted?: 'only' } => {
  const { deleted } = binOf(meta);
  return deleted === 'only' ? { deleted } : {};
};
