import type { Captions, Enumeration } from '@lintel/metadata';

/** An enum as the metadata tells it (specification 2.9); ids keep their JSON type. */
export interface EnumInfo {
  readonly name: string;
  readonly values: readonly { readonly name: string; readonly id: string | number; readonly caption: string }[];
}

/** Metadata of an enum, its constants in the order of their declaration. */
export const describeEnum = (captions: Captions, { name, values }: Enumeration): EnumInfo => ({
  name,
  values: values.map((value) => ({ name: value.name, id: value.id, caption: captions.constant(name, value.name) })),
});
