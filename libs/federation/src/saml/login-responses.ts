import { createHash } from 'node:crypto';
import type { KeyValueStore } from '@lintel/cache';
import type { TextCipher } from '../federation-ports.ts';
import type { ProviderLogin } from '../providers/login-provider.ts';
import { ProviderFailure, type ProviderFailureKind } from '../providers/provider-failure.ts';
import type { SingleUse } from '../providers/single-use.ts';

/**
 * Results of responses, on their way to the browser that began. A provider sends its response as a form of another
 * site, with which browsers send no cookies of ours; so it is kept until the browser comes back by a redirect.
 */
export interface LoginResponses {
  expect(state: string, requestId: string): Promise<void>;
  /** False if no response is expected. Each state is used once, also by a response that is refused. */
  receive(state: string, verify: (requestId: string) => Promise<ProviderLogin>): Promise<boolean>;
  /** @throws ProviderFailure if the response was refused, or is not for this request */
  take(state: string, requestId: string): Promise<ProviderLogin>;
}

export interface LoginResponsesDeps {
  readonly keyValues: Pick<KeyValueStore, 'get' | 'set' | 'delete'>;
  readonly singleUse: SingleUse;
  readonly cipher: TextCipher;
}

type Result =
  | { readonly kind: 'login'; readonly login: ProviderLogin }
  | { readonly kind: ProviderFailureKind; readonly reason: string };

/** As long as the cookie of the browser. */
const REQUEST_MS = 10 * 60_000;
const RESULT_MS = 120_000;

export function createLoginResponses(provider: string, deps: LoginResponsesDeps): LoginResponses {
  const { keyValues, singleUse, cipher } = deps;
  const keyOf = (kind: 'request' | 'result', state: string) =>
    `federation:saml-${kind}:${provider}:${createHash('sha256').update(state).digest('base64url')}`;
  const contextOf = (requestId: string) => `SAML login ${provider} ${requestId}`;

  return {
    expect: (state, requestId) => keyValues.set(keyOf('request', state), requestId, REQUEST_MS),
    async receive(state, verify) {
      const requestId = await keyValues.get(keyOf('request', state));
      if (requestId === undefined || !(await singleUse.claim(`saml response ${provider}`, state))) return false;
      const result = await verify(requestId).then(
        (login): Result => ({ kind: 'login', login }),
        (error: unknown): Result => {
          if (!(error instanceof ProviderFailure)) throw error;
          return { kind: error.kind, reason: error.message };
        },
      );
      const value = cipher.encrypt(JSON.stringify(result), contextOf(requestId)).toString('base64url');
      await keyValues.set(keyOf('result', state), value, RESULT_MS);
      return true;
    },
    async take(state, requestId) {
      const key = keyOf('result', state);
      const value = await keyValues.get(key);
      await keyValues.delete(key, keyOf('request', state));
      const text = cipher.decrypt(Buffer.from(value ?? '', 'base64url'), contextOf(requestId));
      if (text === undefined) throw new ProviderFailure('refused', 'no response');
      const result = JSON.parse(text) as Result;
      if (result.kind !== 'login') throw new ProviderFailure(result.kind, result.reason);
      return result.login;
    },
  };
}
