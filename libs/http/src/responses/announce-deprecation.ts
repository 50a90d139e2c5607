import type { ServerResponse } from 'node:http';

/** Since when something is deprecated, from when it may be missing, and where clients read about it. Days: `YYYY-MM-DD`. */
export interface Announcement {
  readonly since: string;
  readonly sunset?: string;
  readonly link?: string;
}

const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** Sets `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and a `Link` (contract/conventions.md#deprecated). */
export function announceDeprecation(
  response: Pick<ServerResponse, 'setHeader' | 'appendHeader'>,
  { since, sunset, link }: Announcement,
): void {
  response.setHeader('Deprecation', `@${timeOf(since) / 1_000}`);
  if (sunset !== undefined) response.setHeader('Sunset', new Date(timeOf(sunset)).toUTCString());
  if (link !== undefined) response.appendHeader('Link', `<${link}>; rel="deprecation"; type="text/html"`);
}
