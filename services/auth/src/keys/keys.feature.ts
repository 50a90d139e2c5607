import type { FeatureFactory } from '../feature.ts';
import { registerJwksRoute } from './jwks.routes.ts';
import { followRotations } from './rotate-keys.ts';

/** Keys that sign tokens, and their rotation. */
export const keysFeature: FeatureFactory<'ports' | 'keys' | 'rotation'> = ({ ports, keys, rotation }) => ({
  register: ({ open }) => registerJwksRoute(open, keys),
  follow: [() => followRotations(ports.bus, rotation, { meter: keys.meter, logger: ports.logger })],
  repeated: [[rotation.tick, 'the signing keys were not looked after']],
});
