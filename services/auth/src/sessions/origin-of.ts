import type { LoginOrigin } from './login.ts';

const MAX_USER_AGENT_LENGTH = 200;

/** Where a login comes from: the address and the beginning of the user agent of the request for its tokens. */
export const originOf = (request: {
  readonly address: string;
  readonly userAgent: string | undefined;
}): LoginOrigin => ({
  address: request.address,
  ...(request.userAgent !== undefined && { userAgent: request.userAgent.slice(0, MAX_USER_AGENT_LENGTH) }),
});
