import { currentActor, currentTraceId } from '../tracing/trace-context.ts';
import type { Logger } from './logger.ts';

/** What is recorded of the security of an installation; names of lines begin with `security.`. */
export const SECURITY_EVENTS = {
  'login.succeeded': 'info',
  'login.failed': 'warn',
  'login.blocked': 'warn',
  'client.failed': 'warn',
  'client.blocked': 'warn',
  'client.changed': 'info',
  'refresh-token.reused': 'warn',
  'authorization-code.reused': 'warn',
  'device-code.reused': 'warn',
  'token.revoked': 'info',
  'session.ended': 'info',
  'api-key.changed': 'info',
  'api-key.refused': 'warn',
  'api-key.unknown': 'warn',
  'consent.ended': 'info',
  'sessions.limited': 'info',
  'user.changed': 'info',
  'assignment.changed': 'info',
  'roles.changed': 'info',
  'rights.previewed': 'info',
  'see-as.begun': 'warn',
  'see-as.ended': 'info',
  'second-factor.added': 'info',
  'second-factor.removed': 'info',
  'second-factor.failed': 'warn',
  'second-factor.blocked': 'warn',
  'recovery-code.used': 'warn',
  'recovery-codes.replaced': 'info',
  'federation.user-created': 'info',
  'federation.user-linked': 'info',
  'federation.roles-changed': 'info',
  'federation.login-ended': 'info',
  'federation.refused': 'warn',
  'provisioning.user-created': 'info',
  'provisioning.user-changed': 'info',
  'provisioning.user-removed': 'info',
  'provisioning.group-changed': 'info',
  'provisioning.refused': 'warn',
  'access.refused': 'warn',
} as const;

export type SecurityEventName = keyof typeof SECURITY_EVENTS;

/** Who and what it was about. Never a password, a token or a secret, and no name that may be one. */
export interface SecurityFacts {
  /** Name of a user that exists. */
  readonly username?: string;
  /** Name of the user who did it, if that is another one. */
  readonly by?: string;
  /** Keyed digest of the given name, since users sometimes type their password into the field of the name. */
  readonly nameDigest?: string;
  /** Id of a client or of an API key that exists, or has existed. */
  readonly clientId?: string;
  /** The client, key or session with which the user has done it. */
  readonly byClientId?: string;
  /** Code of a role; of a row-level role after `row_level_role:`. */
  readonly role?: string;
  readonly traceId?: string;
  readonly address?: string;
  readonly sessionId?: string;
  readonly reason?: string;
  /** Name of an identity provider in the configuration. */
  readonly provider?: string;
  /** Names of attributes that were changed. */
  readonly attributes?: string[];
  /** How many sessions or requests it was. */
  readonly amount?: number;
}

/** One security event, or several of a name of which only the number is recorded. */
export interface SecurityRecord extends SecurityFacts {
  readonly name: SecurityEventName;
  /** 1, or the number of events above the limit of lines. */
  readonly count: number;
}

/** Records security events as lines of the log, and wherever `publish` sends them. */
export interface SecurityLog {
  record(name: SecurityEventName, facts: SecurityFacts): void;
  /** Records the numbers of what was above the limit. */
  close(): void;
}

export interface SecurityLogOptions {
  readonly logger: Logger;
  readonly publish?: (record: SecurityRecord) => void;
  /** Events of one name that are recorded one by one within a minute; above it only their number. */
  readonly maxPerMinute?: number;
}

/** Who does the work in progress and in which trace, for what an event does not say itself. */
function factsOfWork({ username, address }: SecurityFacts): SecurityFacts {
  const traceId = currentTraceId();
  const actor = currentActor();
  return {
    ...(traceId !== undefined && { traceId }),
    ...(actor?.by !== undefined && actor.by !== username && { by: actor.by }),
    ...(actor?.byClientId !== undefined && { byClientId: actor.byClientId }),
    ...(actor?.address !== undefined && address === undefined && { address: actor.address }),
  };
}

const MINUTE_MS = 60_000;

interface Window {
  recorded: number;
  above: number;
  readonly timer: NodeJS.Timeout;
}

/**
 * A log whose size an attacker cannot increase: above `maxPerMinute`, events of a name are only counted. Its lines are
 * written at every level of the logger.
 */
export function createSecurityLog({ logger, publish, maxPerMinute = 600 }: SecurityLogOptions): SecurityLog {
  const lines = logger.child({}, { everyLevel: true });
  const windows = new Map<SecurityEventName, Window>();

  function write(record: SecurityRecord): void {
    // Lines have the trace anyway.
    const { name, traceId: _, ...facts } = record;
    lines[SECURITY_EVENTS[name]]({ event: 'security', name: `security.${name}`, ...facts }, 'security event');
    publish?.(record);
  }

  function end(name: SecurityEventName): void {
    const window = windows.get(name);
    if (window === undefined) return;
    clearTimeout(window.timer);
    windows.delete(name);
    if (window.above > 0) write({ name, count: window.above, reason: 'above the limit of lines' });
  }

  function begin(name: SecurityEventName): Window {
    const timer = setTimeout(() => end(name), MINUTE_MS);
    timer.unref();
    const window = { recorded: 0, above: 0, timer };
    windows.set(name, window);
    return window;
  }

  return {
    record(name, facts) {
      const window = windows.get(name) ?? begin(name);
      if (window.recorded >= maxPerMinute) {
        window.above += 1;
        return;
      }
      window.recorded += 1;
      write({ name, count: 1, ...factsOfWork(facts), ...facts });
    },
    close() {
      for (const name of [...windows.keys()]) end(name);
    },
  };
}
