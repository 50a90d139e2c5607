import type { ServerResponse } from 'node:http';
import { type CallerKey, callerKeyOf } from '@lintel/contracts';
import type { SecurityLog } from '@lintel/telemetry';
import { principalOf } from '../context/request-state.ts';

/** Counts a request that was refused because of missing rights. */
export type RefusalCounter = (response: ServerResponse) => void;

const MINUTE_MS = 60_000;
const MAX_PER_MINUTE = 100;
/** Maximum number of users that are counted in one minute. */
const MAX_USERS = 10_000;

/** Records users with many refused requests (403), which may be a search for gaps in the access rights. */
export function countRefusals(security: SecurityLog, now: () => number = () => performance.now()): RefusalCounter {
  let sinceMs = now();
  let counts = new Map<CallerKey, number>();
  return (response) => {
    const principal = principalOf(response);
    if (principal === undefined) return;
    if (now() - sinceMs >= MINUTE_MS) {
      sinceMs = now();
      counts = new Map();
    }
    const { username, clientId } = principal;
    const key = callerKeyOf(principal);
    const count = (counts.get(key) ?? 0) + 1;
    if (count > 1 || counts.size < MAX_USERS) counts.set(key, count);
    if (count === MAX_PER_MINUTE) security.record('access.refused', { username, clientId, amount: count });
  };
}
