/**
 * A docx or xlsx file: its parts by name (`word/document.xml`, no leading slash), in the order of the file.
 * Templates are read once and shared by runs: a run copies the map and never changes the bytes of a part.
 */
export type OoxmlPackage = ReadonlyMap<string, Uint8Array>;

/** Limits of a template file; a file beyond them is treated as an attack. */
export interface PackageLimits {
  readonly maxBytes: number;
  readonly maxEntries: number;
  /** Of all parts together, unpacked. */
  readonly maxUnpackedBytes: number;
  /** Unpacked bytes per packed byte of a part; parts below `ratioExemptBytes` are not checked. */
  readonly maxRatio: number;
  readonly ratioExemptBytes: number;
}

export const PACKAGE_LIMITS: PackageLimits = Object.freeze({
  maxBytes: 32 * 1024 * 1024,
  maxEntries: 4_000,
  maxUnpackedBytes: 256 * 1024 * 1024,
  // XML of spreadsheets reaches about 50, a zip bomb about 1000.
  maxRatio: 200,
  ratioExemptBytes: 1024 * 1024,
});

/** A template that is no valid docx or xlsx file. The message is for the author of the template. */
export class OoxmlError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OoxmlError';
  }
}

/** @throws OoxmlError when the package has no such part */
export function partOf(parts: OoxmlPackage, name: string): Uint8Array {
  const bytes = parts.get(name);
  if (bytes === undefined) throw new OoxmlError(`the file has no part ${name}`);
  return bytes;
}
