/** Values of attributes by their names, as the API has them. */
export type Values = Readonly<Record<string, unknown>>;

/** Whether two values are the same for a write: nothing is nothing, and a reference is its id. */
export const isSame = (one: unknown, other: unknown): boolean => comparable(one) === comparable(other);

function comparable(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'null';
  if (typeof value === 'object' && !Array.isArray(value) && 'id' in value) return JSON.stringify(value.id);
  return JSON.stringify(value);
}
