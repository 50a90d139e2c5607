import { randomUUID } from 'node:crypto';
import { type TestResponse, viaGateway } from './start-auth.ts';

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** An identity provider that manages users by SCIM. */
export function createScimClient(url: () => string, token: string) {
  async function send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<TestResponse> {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(`${url()}/scim/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json', ...viaGateway(headers) },
      ...(body !== undefined && { body: isRaw ? (body as string) : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: text === '' ? undefined : JSON.parse(text),
    };
  }
  return {
    send,
    createUser: (members: Readonly<Record<string, unknown>> = {}) =>
      send('POST', '/Users', { schemas: [USER], userName: randomUUID(), ...members }),
    createGroup: (displayName: string, members: readonly string[] = [], more: object = {}) =>
      send('POST', '/Groups', {
        schemas: [GROUP],
        displayName,
        members: members.map((value) => ({ value })),
        ...more,
      }),
    patch: (path: string, operations: readonly object[], headers?: Record<string, string>) =>
      send('PATCH', path, { schemas: [PATCH], Operations: operations }, headers),
    replaceIn: (path: string, value: unknown) => ({ op: 'replace', path, value }),
  };
}
