import type { Captions, Enumeration } from '@lintel/metadata';

/** An enum in the metadata API (contract/metadata.md#enums); ids keep their JSON type. */
export interface EnumInfo {
  readonly name: string;
  readonly values: readonly { readonly name: string; readonly id: string | number; readonly caption: string }[];
}

/** Metadata of an enum, its constants in the order of their declaration. */
export const describeEnum = (captions: Captions, { name, values }: Enumeration): EnumInfo => ({
  name,
  values: values.map((value) => ({ name: value.name, id: value.id, caption: captions.constant(name, value.name) })),
});
