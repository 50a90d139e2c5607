const { rawJSON } = JSON as { readonly rawJSON?: (text: string) => unknown };

/** JSON of a request. 64-bit integers keep all digits: as numbers, or as texts, which the API accepts for numbers. */
export const writeJson = (value: unknown): string =>
  JSON.stringify(value, (_name, member) =>
    typeof member === 'bigint' ? (rawJSON?.(String(member)) ?? String(member)) : member,
  );
