import { safeReason } from './safe-reason.ts';

/** False: not ready. `degraded`: ready, but something is missing that can be done without; why, without addresses. */
export type CheckAnswer = boolean | { readonly degraded: string };

/** Named checks; false or a rejection means not ready. What a check rejects with tells why, in `safeReason`'s words. */
export type Readiness = Readonly<Record<string, () => Promise<CheckAnswer> | CheckAnswer>>;

export interface CheckResult {
  readonly status: 'up' | 'degraded' | 'down';
  /** Why it is not up, without addresses and secrets. */
  readonly reason?: string;
}

const CHECK_TIMEOUT_MS = 2_000;

/** Asks all checks at once; one that has not answered after two seconds is down. */
export async function askReadiness(readiness: Readiness): Promise<Readonly<Record<string, CheckResult>>> {
  const entries = Object.entries(readiness).map(async ([name, check]) => [name, await ask(check)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

async function ask(check: Readiness[string]): Promise<CheckResult> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), CHECK_TIMEOUT_MS);
  });
  try {
    const answer = await Promise.race([Promise.resolve().then(check), late]);
    if (answer === true) return { status: 'up' };
    if (typeof answer === 'object') return { status: 'degraded', reason: answer.degraded };
    return { status: 'down', reason: answer === 'late' ? `no answer in ${CHECK_TIMEOUT_MS / 1_000} s` : 'not yet' };
  } catch (error) {
    return { status: 'down', reason: safeReason(error) };
  } finally {
    clearTimeout(timer);
  }
}
