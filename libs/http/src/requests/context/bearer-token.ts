/**
 * The token of an `Authorization` header: the scheme is compared without regard to case, the value ends at the
 * first comma (contract/tokens.md#token-location). Undefined for other schemes and empty values.
 */
export function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const match = /^\s*bearer[ \t]+([^,\s]+)\s*(?:,.*)?$/is.exec(header);
  return match?.[1];
}
