import { PlatformError } from '@lintel/errors';
import { isHost, type Step } from '@lintel/http';

const ABSOLUTE = /^https?:\/\/([^/?#]*)([^#]*)/i;

/**
 * Replaces a request target in absolute form by its path, and `Host` by its authority (RFC 9112 §3.2.2), so that all
 * later steps read the same target.
 */
export const toOriginForm: Step = (request, _response, next) => {
  if (request.url?.startsWith('/') === true) return next();
  const [, authority, target = ''] = ABSOLUTE.exec(request.url ?? '') ?? [];
  if (authority !== undefined) {
    if (!isHost(authority))
      throw new PlatformError(
        'REQ_INVALID_PARAMETER',
        'The authority of the request target is not a host name or address',
      );
    request.url = target.startsWith('/') ? target : `/${target}`;
    request.headers.host = authority;
  }
  next();
};
