import { PlatformError } from '@lintel/errors';

/** A request target without its `access_token` or `ticket` parameter. */
export interface TargetWithoutToken {
  /** Path and query; all other parameters are unchanged, byte for byte. */
  readonly url: string;
  /** The token; undefined if the parameter is absent, an empty string where it is empty. */
  readonly token: string | undefined;
  /** The error of a parameter that is given more than once: others may read another one (RFC 6750 §3.1). */
  readonly error?: PlatformError;
}

/**
 * Removes the token from a request target (contract/tokens.md#token-location), so that it reaches no service and no
 * log. The name is compared after decoding: `access%5Ftoken` is the same parameter.
 */
export const takeTokenParameter = (url: string): TargetWithoutToken => takeParameter(url, 'access_token');

/** The same for a ticket (contract/tokens.md#tickets). */
export const takeTicketParameter = (url: string): TargetWithoutToken => takeParameter(url, 'ticket');

function takeParameter(url: string, parameter: string): TargetWithoutToken {
  const start = url.indexOf('?');
  if (start === -1) return { url, token: undefined };
  let token: string | undefined;
  let isRepeated = false;
  const kept: string[] = [];
  for (const pair of url.slice(start + 1).split('&')) {
    const equals = pair.indexOf('=');
    const sent = equals === -1 ? pair : pair.slice(0, equals);
    const name = ENCODED.test(sent) ? decode(sent) : sent;
    if (name !== parameter) kept.push(pair);
    else {
      isRepeated ||= token !== undefined;
      token ??= equals === -1 ? '' : decode(pair.slice(equals + 1));
    }
  }
  if (token === undefined) return { url, token };
  const path = url.slice(0, start);
  return {
    url: kept.length === 0 ? path : `${path}?${kept.join('&')}`,
    token,
    ...(isRepeated && {
      error: new PlatformError('REQ_INVALID_PARAMETER', `Parameter '${parameter}' must be given once`),
    }),
  };
}

const ENCODED = /[%+]/;

/** Form decoding; returns the input where it cannot be decoded. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
