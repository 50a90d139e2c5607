import type { ServerResponse } from 'node:http';

/** Sets the headers of a response with tokens, codes or a form, which nothing may store. */
export function forbidCaching(response: ServerResponse): void {
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Pragma', 'no-cache');
}
