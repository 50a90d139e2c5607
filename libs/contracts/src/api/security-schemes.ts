import type { RouteDescription } from './route-description.ts';

const TOKENS = { refreshUrl: '/oauth2/token', scopes: {} } as const;

/**
 * How callers of the API identify themselves (contract/tokens.md#authentication); paths are relative to the server of
 * the API.
 */
export const TOKEN_SCHEMES = {
  oauth2: {
    type: 'oauth2',
    description:
      'Tokens of the password, client-credentials and authorization-code flows. Scopes need not be requested.',
    flows: {
      password: { ...TOKENS, tokenUrl: '/oauth/token', refreshUrl: '/oauth/token' },
      clientCredentials: { scopes: {}, tokenUrl: '/oauth2/token' },
      authorizationCode: { ...TOKENS, authorizationUrl: '/oauth2/authorize', tokenUrl: '/oauth2/token' },
    },
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'An access token that the client has already' },
} as const;

/** How clients of the token endpoints identify themselves. */
export const CLIENT_SCHEMES = {
  client: { type: 'http', scheme: 'basic', description: 'Id and secret of the client' },
} as const;

/** The member `security` of an operation; nothing where that of the document holds. */
export function securityOf(security: RouteDescription['security']): { readonly security?: readonly object[] } {
  switch (security) {
    case 'none':
      return { security: [] };
    case 'client':
      return { security: [{ client: [] }] };
    default:
      return {};
  }
}
