/**
 * A docx or xlsx file: its parts by name (`word/document.xml`, no leading slash), in the order of the file.
 * Templates are read once and shared by runs: a run copies the map and never changes the bytes of a part.
 */
export type OoxmlPackage = ReadonlyMap<string, Uint8Array>;

/** What a template file may hold; beyond it the file is taken for an attack. */
export interface PackageLimits {
  readonly mostBytes: number;
  readonly mostEntries: number;
  /** Of all parts together, unpacked. */
  readonly mostUnpackedBytes: number;
  /** Unpacked bytes per packed byte of a part; parts below `freeBytes` are not looked at. */
  readonly mostRatio: number;
  readonly freeBytes: number;
}

export const PACKAGE_LIMITS: PackageLimits = Object.freeze({
  mostBytes: 32 * 1024 * 1024,
  mostEntries: 4_000,
  mostUnpackedBytes: 256 * 1024 * 1024,
  // XML of spreadsheets reaches about 50; a bomb about 1000.
  mostRatio: 200,
  freeBytes: 1024 * 1024,
});

/** A template that is no proper docx or xlsx file. The message is for whoever wrote the template. */
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
