import { type Metrics, NO_METRICS } from '@lintel/telemetry';
import type { LoginCheck } from './login-check.ts';

const OUTCOMES = { 'bad-credentials': 'wrong', disabled: 'disabled', locked: 'locked', 'too-many': 'locked' } as const;

/** The check, with its outcomes counted; those that could not be found out are none. */
export function countLogins(check: LoginCheck, metrics: Metrics = NO_METRICS): LoginCheck {
  const counted = (outcome: 'ok' | (typeof OUTCOMES)[keyof typeof OUTCOMES]) =>
    metrics.counter('lintel.auth.logins', { outcome });
  return async (attempt) => {
    const result = await check(attempt);
    counted(result.kind === 'accepted' ? 'ok' : OUTCOMES[result.refusal]).add(1);
    return result;
  };
}
