/** The `code` of a system or client error, or an empty text. No `instanceof`: errors may come from another realm. */
export const errorCodeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : '';
