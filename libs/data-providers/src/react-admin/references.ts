/** The ids of references, for the `format` of an input with several ids. */
export const idsOf = (references: readonly { readonly id: unknown }[] | null | undefined): unknown[] =>
  (references ?? []).map(({ id }) => id);

/** References by their ids, for the `parse` of an input with several ids. */
export const referencesOf = (ids: readonly unknown[] | null | undefined): { id: unknown }[] =>
  (ids ?? []).map((id) => ({ id }));
