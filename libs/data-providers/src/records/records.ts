/** An instance with an id that pages can have in an address. */
export interface ProviderRecord {
  readonly id: string | number;
  // biome-ignore lint/suspicious/noExplicitAny: pages know the attributes of their resources
  readonly [attribute: string]: any;
}

/** The record of an instance: an id of several attributes becomes a text. */
export function toRecord(instance: object): ProviderRecord {
  const { id } = instance as { readonly id?: unknown };
  return { ...instance, id: typeof id === 'object' && id !== null ? JSON.stringify(id) : (id as string | number) };
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
