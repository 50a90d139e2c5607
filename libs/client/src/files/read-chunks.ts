import { NetworkError } from '../errors/lintel-error.ts';
import type { ResponseLike } from '../platform.ts';

interface Reader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array }>;
  cancel(): Promise<void>;
}

/** The chunks of a body. Where the loop ends early, so does the response. */
export async function* readChunks(response: ResponseLike): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader() as Reader | undefined;
  if (reader === undefined) return;
  let isDone = false;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: Error) => {
        throw new NetworkError(`The response ended early: ${error.message}`, error);
      });
      isDone = done;
      if (done || value === undefined) return;
      yield value;
    }
  } finally {
    if (!isDone) await reader.cancel().catch(() => {});
  }
}
