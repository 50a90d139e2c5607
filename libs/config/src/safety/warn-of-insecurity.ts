import type { InsecureSetting } from './insecurities.ts';

/** The part of a logger that the warnings need. */
interface WarningLogger {
  child(fields: object, options: { readonly everyLevel: true }): { warn(fields: object, message: string): void };
}

/**
 * Logs at each start, at any `svc.log.level`, every insecure setting that only `svc.security.allow-insecure`
 * permits.
 */
export function warnOfInsecurity(allowed: readonly InsecureSetting[], logger: WarningLogger): void {
  const lines = logger.child({}, { everyLevel: true });
  for (const { insecurity, problem } of allowed)
    lines.warn({ event: 'security.setting.insecure', insecurity, problem }, 'an insecure setting is accepted');
}
