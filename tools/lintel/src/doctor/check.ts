/** What a check found: one sentence each. */
export interface Finding {
  /** `warning`: it works, but not as it should. `skipped`: nothing to check here. */
  readonly status: 'ok' | 'warning' | 'failed' | 'skipped';
  readonly detail: string;
  /** What to do; for warnings and failures. */
  readonly remedy?: string;
}

/** One thing that an installation needs. */
export interface Check {
  readonly id: string;
  readonly title: string;
  readonly run: () => Promise<Finding>;
}

export interface CheckResult extends Finding {
  readonly id: string;
  readonly title: string;
}

/** Longest wait for one server. */
export const TIMEOUT_MS = 5_000;

export const ok = (detail: string): Finding => ({ status: 'ok', detail });
export const warning = (detail: string, remedy: string): Finding => ({ status: 'warning', detail, remedy });
export const failed = (detail: string, remedy: string): Finding => ({ status: 'failed', detail, remedy });
export const skipped = (detail: string): Finding => ({ status: 'skipped', detail });

/** Whether a version such as `7.2.4` is at least `wanted`, such as `7.0`. */
export function isAtLeast(version: string, wanted: string): boolean {
  const [found, least] = [version, wanted].map((text) => text.split('.').map((part) => Number.parseInt(part, 10) || 0));
  const [major = 0, minor = 0] = found ?? [];
  const [leastMajor = 0, leastMinor = 0] = least ?? [];
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}
