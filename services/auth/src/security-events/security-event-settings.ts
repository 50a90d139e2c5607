import { durationMsValue, integerValue, setting } from '@lintel/config';

const DAY_MS = 24 * 3_600_000;

/** How many security events are kept. */
export const securityEventSettings = {
  keptMs: setting(
    'svc.auth.security-events.retention',
    durationMsValue().default(90 * DAY_MS),
    'How long security events are kept, which administrators see at `/rest/operations/security-events`; `0s` stores none',
  ),
  maxPerType: setting(
    'svc.auth.security-events.max-per-type',
    integerValue({ min: 1_000, max: 10_000_000 }).default(100_000),
    'Greatest number of security events of one type that are kept; the oldest are removed once an hour',
  ),
};
