/** Whether auth has ended what an operation names. */
export const hasEnded = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'ended' in body && body.ended === true;
