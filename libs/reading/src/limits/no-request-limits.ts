import { UNLIMITED } from '@lintel/query';
import type { RequestLimits } from './request-limits.ts';

/** For work that no client request causes. */
export const NO_REQUEST_LIMITS: RequestLimits = Object.freeze({
  ...UNLIMITED,
  batchItems: Number.MAX_SAFE_INTEGER,
  graphNodes: Number.MAX_SAFE_INTEGER,
});
