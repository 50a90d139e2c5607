import type { FeatureFactory } from '../feature.ts';
import { registerSecurityEventRoutes } from './security-events.routes.ts';

/** Events that concern security, which operators read. */
export const securityEventsFeature: FeatureFactory<'securityEvents'> = ({ securityEvents }) => ({
  register: ({ internal }) => registerSecurityEventRoutes(internal, securityEvents),
  repeated: [[securityEvents.prune, 'old security events were not removed']],
});
