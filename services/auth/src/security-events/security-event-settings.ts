import { durationMsValue, setting } from '@lintel/config';

const DAY_MS = 24 * 3_600_000;

/** How many security events are kept. */
export const securityEventSettings = {
  keptMs: setting(
    'svc.auth.security-events.retention',
    durationMsValue().default(90 * DAY_MS),
    'How long security events are kept; `0s` stores none',
  ),
  /** Maximum number of kept events of one type, against which an attacker could fill the disk; the oldest are removed once an hour. */
  maxPerType: 100_000,
};
