import { sendJsonText } from '@lintel/http';
import type { FeatureFactory } from '../feature.ts';
import { followRotations } from './rotate-keys.ts';

/** Keys that sign tokens, and their rotation. */
export const keysFeature: FeatureFactory<'ports' | 'keys' | 'rotation'> = ({ ports, keys, rotation }) => ({
  register({ open }) {
    // Verifiers cache the public keys, and request them again for an unknown key id.
    open.get('/oauth2/jwks', (_request, response) => {
      response.setHeader('Cache-Control', 'public, max-age=300');
      sendJsonText(response, JSON.stringify({ keys: keys.publicJwks() }));
    });
  },
  follow: [() => followRotations(ports.bus, rotation, { meter: keys.meter, logger: ports.logger })],
  repeated: [[rotation.tick, 'the signing keys were not looked after']],
});
