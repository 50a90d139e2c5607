import { type Metrics, NO_METRICS } from '@lintel/telemetry';
import type { LoginCheck } from './login-check.ts';

const OUTCOMES = { 'bad-credentials': 'wrong', disabled: 'disabled', locked: 'locked', 'too-many': 'locked' } as const;

/** Adds a counter of outcomes to the check; a check that rejects has no outcome. */
export function countLogins(check: LoginCheck, metrics: Metrics = NO_METRICS): LoginCheck {
  const counted = (outcome: 'ok' | (typeof OUTCOMES)[keyof typeof OUTCOMES]) =>
    metrics.counter('lintel.auth.logins', { outcome });
  return async (attempt) => {
    const result = await check(attempt);
    counted(result.kind === 'accepted' ? 'ok' : OUTCOMES[result.refusal]).add(1);
    return result;
  };
}
