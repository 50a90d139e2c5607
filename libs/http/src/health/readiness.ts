import { safeReason } from './safe-reason.ts';

/** False: not ready. `degraded`: ready, but something optional is missing; the reason, without addresses. */
export type CheckOutcome = boolean | { readonly degraded: string };

/** Named checks; false or a rejection means not ready. `safeReason` of the rejection is the reason. */
export type Readiness = Readonly<Record<string, () => Promise<CheckOutcome> | CheckOutcome>>;

export interface CheckResult {
  readonly status: 'up' | 'degraded' | 'down';
  /** Why it is not up, without addresses and secrets. */
  readonly reason?: string;
}

const CHECK_TIMEOUT_MS = 2_000;

/** Runs all checks concurrently; one that takes longer than two seconds is down. */
export async function checkReadiness(readiness: Readiness): Promise<Readonly<Record<string, CheckResult>>> {
  const entries = Object.entries(readiness).map(async ([name, check]) => [name, await runCheck(check)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

async function runCheck(check: Readiness[string]): Promise<CheckResult> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), CHECK_TIMEOUT_MS);
  });
  try {
    const outcome = await Promise.race([Promise.resolve().then(check), late]);
    if (outcome === true) return { status: 'up' };
    if (typeof outcome === 'object') return { status: 'degraded', reason: outcome.degraded };
    return { status: 'down', reason: outcome === 'late' ? `no response in ${CHECK_TIMEOUT_MS / 1_000} s` : 'not yet' };
  } catch (error) {
    return { status: 'down', reason: safeReason(error) };
  } finally {
    clearTimeout(timer);
  }
}
