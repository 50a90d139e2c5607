/** Whether a name, or a path, can be a field of a row. Where this is not known, every name can. */
export type FieldTest = (path: string) => boolean;

/** A band of the tree, as far as its definition says which fields it has. */
export interface KnownBand {
  readonly name: string;
  readonly parent: KnownBand | undefined;
  readonly has: FieldTest;
  /** Fields that queries select one by one. */
  readonly selected: readonly string[];
  /** Whether it may have several rows. */
  readonly isRepeated: boolean;
}

/** Whether a band is another one or one above it. */
export const isAbove = (band: KnownBand, of: KnownBand | undefined): boolean =>
  of !== undefined && (of === band || isAbove(band, of.parent));

/** Whether a band may have several rows in the document: its own ones, or one for each row above it. */
export const isCopied = (band: KnownBand | undefined): boolean =>
  band !== undefined && (band.isRepeated || isCopied(band.parent));

/** Splits `Band.field` where there is such a band. */
export function bandIn(
  name: string,
  bands: ReadonlyMap<string, KnownBand>,
): { readonly band: KnownBand; readonly field: string } | undefined {
  const dot = name.indexOf('.');
  const band = dot < 0 ? undefined : bands.get(name.slice(0, dot));
  return band && { band, field: name.slice(dot + 1) };
}
