import type { Connection, FetchLike } from '@lintel/client';
import { bodyText, type DescribedRequest, pathWithQuery } from '../../../requests/described-request.ts';

/** A response as it came, of any status. */
export interface ReceivedResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Blob;
  readonly milliseconds: number;
}

/**
 * Sends a request once with the login of the user. An error response is a response.
 *
 * @param file instead of the body of the request
 */
export async function sendRequest(
  connection: Connection,
  request: DescribedRequest,
  file: Blob | FormData | undefined,
): Promise<ReceivedResponse> {
  const body = file ?? bodyText(request);
  const begin = performance.now();
  let received: Response | undefined;
  let milliseconds = 0;
  const capture = async (input: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(input, init);
    milliseconds = Math.round(performance.now() - begin);
    received = response.clone();
    return response;
  };
  const content = body === undefined ? {} : { body: () => body };
  try {
    const { release } = await connection.open({
      method: request.method,
      path: pathWithQuery(request),
      headers: {
        ...(body !== undefined && file === undefined && { 'content-type': 'application/json' }),
        ...request.headers,
      },
      repeatable: false,
      once: true,
      fetch: capture as unknown as FetchLike,
      ...content,
    });
    release();
  } catch (error) {
    // Without a response, the error says why. With one, the page shows it.
    if (received === undefined) throw error;
  }
  if (received === undefined) throw new Error('No response was received');
  const { status, statusText, headers } = received;
  return { status, statusText, headers: [...headers], body: await received.blob(), milliseconds };
}
