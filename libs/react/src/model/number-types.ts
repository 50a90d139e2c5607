/** The datatypes whose values are numbers. */
export const NUMBER_TYPES: ReadonlySet<string> = new Set([
  'bigInteger',
  'decimal',
  'double',
  'float',
  'int',
  'long',
  'short',
]);
