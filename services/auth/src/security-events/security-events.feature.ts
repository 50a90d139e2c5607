import { securityEventsRequestSchema } from '@lintel/contracts';
import type { FeatureFactory } from '../feature.ts';
import { respondInternal } from '../respond-internal.ts';

/** Events that concern security, which operators read. */
export const securityEventsFeature: FeatureFactory<'securityEvents'> = ({ securityEvents }) => ({
  register: ({ internal }) =>
    respondInternal(internal, '/security-events', securityEventsRequestSchema, (page) => securityEvents.page(page)),
  repeated: [[securityEvents.prune, 'old security events were not removed']],
});
