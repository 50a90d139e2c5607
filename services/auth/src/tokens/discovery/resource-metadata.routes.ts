import { sendJsonText } from '@lintel/http';
import type { Router } from 'express';
import { resourceOf } from './resource.ts';

export interface ResourceMetadataDeps {
  readonly issuer: string;
  /** The scope that the API needs (`svc.authserver.scope`). */
  readonly apiScope: string;
  /** Whether tokens in URLs are refused (`svc.security.profile`). */
  readonly isHardened: boolean;
}

/** Describes the API for clients that know only its address: which server issues its tokens (RFC 9728). */
export function registerResourceMetadata(router: Router, { issuer, apiScope, isHardened }: ResourceMetadataDeps): void {
  const text = JSON.stringify({
    resource: resourceOf(issuer),
    authorization_servers: [issuer],
    scopes_supported: [apiScope],
    bearer_methods_supported: isHardened ? ['header'] : ['header', 'query'],
  });
  router.get('/.well-known/oauth-protected-resource', (_request, response) => sendJsonText(response, text));
}
