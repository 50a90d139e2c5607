import type { GrantRequest } from './token-grant-deps.ts';

/**
 * What binds the refresh token of a public client to its key (RFC 9449 §5). One of another client is bound to the
 * credentials of the client, so that the client can change its key.
 */
export const bindingOf = ({
  client,
  thumbprint,
}: Pick<GrantRequest, 'client' | 'thumbprint'>): { readonly jkt?: string } =>
  client.isPublic && thumbprint !== undefined ? { jkt: thumbprint } : {};
