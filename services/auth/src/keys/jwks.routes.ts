import { sendJsonText } from '@lintel/http';
import type { Router } from 'express';
import type { KeyRing } from './key-ring.ts';

/** Public keys at `/oauth2/jwks`. Verifiers cache them and request them again for an unknown key id. */
export function registerJwksRoute(router: Router, keys: KeyRing): void {
  router.get('/oauth2/jwks', (_request, response) => {
    response.setHeader('Cache-Control', 'public, max-age=300');
    sendJsonText(response, JSON.stringify({ keys: keys.publicJwks() }));
  });
}
