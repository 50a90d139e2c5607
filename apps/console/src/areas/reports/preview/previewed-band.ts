/** The first rows of a band. */
export interface PreviewedBand {
  readonly name: string;
  readonly parent: string | null;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly truncated: boolean;
}

/** The fields that rows have, each once, in the order in which they come first. */
export const fieldsOf = (rows: PreviewedBand['rows']): readonly string[] => [
  ...new Set(rows.flatMap((row) => Object.keys(row))),
];

/** A value of a row as a text. */
export function textOfField(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(textOfField).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
