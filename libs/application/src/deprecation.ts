/** A query or service method that clients should not use any more (contract/conventions.md#deprecated). */
export interface Deprecation {
  /** The day since which it is deprecated, `YYYY-MM-DD`. */
  readonly since: string;
  /** The day from which it may be missing. */
  readonly sunset?: string;
  /** Address of a page about it, `https://…`. */
  readonly link?: string;
}

/** What is wrong with it; undefined if nothing is. */
export function deprecationProblem({ since, sunset, link }: Deprecation): string | undefined {
  if (!isDay(since)) return "'deprecated.since' must be a day, such as 2026-01-31";
  if (sunset !== undefined && !isDay(sunset)) return "'deprecated.sunset' must be a day, such as 2026-01-31";
  if (sunset !== undefined && sunset < since) return "'deprecated.sunset' is before 'deprecated.since'";
  if (link !== undefined && !/^https?:\/\/[^\s<>"]+$/.test(link))
    return "'deprecated.link' must be an address, such as https://example.org/changes";
  return undefined;
}

function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
