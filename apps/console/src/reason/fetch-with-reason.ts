import type { FetchLike } from '@lintel/client';

/** `fetch` that asks the user for the reason of a change, where the server refuses one without it. */
export const fetchWithReason: FetchLike = async (input, init) => {
  const response = await fetch(input, init);
  if (response.status !== 400) return response;
  // Not a part of the first load.
  return (await import('./send-with-reason.ts')).sendWithReason(response, input, init);
};
