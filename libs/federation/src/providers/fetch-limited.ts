import { createRemoteJWKSet, customFetch, type RemoteJWKSetOptions } from 'jose';

/** Maximum size of a response of an OpenID provider. Documents, keys and tokens have a few KB; parsing blocks the process. */
export const MAX_RESPONSE_BYTES = 256 * 1024;

/** Returns a `fetch` whose responses break off above `maxBytes`: a provider cannot use up the memory. */
export const createLimitedFetch =
  (maxBytes: number = MAX_RESPONSE_BYTES) =>
  async (url: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(url, init);
    if (response.body === null) return response;
    let size = 0;
    const limit = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.byteLength;
        if (size > maxBytes) throw new Error(`the response of ${url} is too large`);
        controller.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(limit), response);
  };

/** Returns the keys of an address, which are read when they are needed. */
export const remoteKeys = (url: string, options?: RemoteJWKSetOptions): ReturnType<typeof createRemoteJWKSet> =>
  createRemoteJWKSet(new URL(url), { ...options, [customFetch]: createLimitedFetch() });

/** Without redirects, which could lead to another server or to an address without TLS. */
export async function fetchLimited(url: string, maxBytes: number, timeoutMs: number): Promise<string> {
  const response = await createLimitedFetch(maxBytes)(url, {
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw new Error(`the status of ${url} is ${response.status}`, { cause: response });
  }
  return response.text();
}
