import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { shareCallerOf } from '@lintel/http';

export interface TransferLimitsOptions {
  /** `svc.files.max-uploads-per-user` */
  readonly uploads: number;
  /** `svc.files.max-downloads-per-user` */
  readonly downloads: number;
}

/** Limits the concurrent transfers of a user in this process. */
export interface TransferLimits {
  /**
   * Counts a transfer until its response is closed.
   *
   * @throws REQ_TOO_MANY_REQUESTS with `Retry-After`
   */
  begin(direction: 'upload' | 'download', request: IncomingMessage, response: ServerResponse, caller: Principal): void;
}

const RETRY_AFTER_SECONDS = '1';

/** For internal listeners: the calling services have limits of their own. */
export const NO_TRANSFER_LIMITS: TransferLimits = { begin: () => {} };

/** Anonymous callers are counted by address, so that one of them cannot use up the limit of all. */
export function createTransferLimits(limits: TransferLimitsOptions): TransferLimits {
  const uploads = { of: new Map<string, number>(), max: limits.uploads, property: 'svc.files.max-uploads-per-user' };
  const downloads = {
    of: new Map<string, number>(),
    max: limits.downloads,
    property: 'svc.files.max-downloads-per-user',
  };
  return {
    begin(direction, request, response, caller) {
      const { of, max, property } = direction === 'upload' ? uploads : downloads;
      const key = shareCallerOf(request, caller);
      const underWay = of.get(key) ?? 0;
      if (underWay >= max)
        throw new PlatformError(
          'REQ_TOO_MANY_REQUESTS',
          `At most ${max} ${direction}s of a user may be under way at the same time (${property})`,
          { headers: { 'Retry-After': RETRY_AFTER_SECONDS } },
        );
      if (response.closed) return;
      of.set(key, underWay + 1);
      response.once('close', () => {
        const rest = (of.get(key) ?? 1) - 1;
        if (rest === 0) of.delete(key);
        else of.set(key, rest);
      });
    },
  };
}
