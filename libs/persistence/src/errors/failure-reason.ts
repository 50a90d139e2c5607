/**
 * What a driver or the system says about a failed connection. The error about several refused addresses of one name
 * has no message of its own, so that of the first address is returned.
 */
export function failureReason(error: Error & { readonly code?: string }): string {
  const [first] = error instanceof AggregateError ? error.errors : [];
  return error.message || (first instanceof Error ? first.message : '') || (error.code ?? error.name);
}
