import type { Reply } from '../client/send-request.ts';

/** @throws Error where it was not created */
export function assertCreated({ status, text }: Reply): void {
  if (status !== 201) throw new Error(`It was not created: ${status} ${text}`);
}

/**
 * The id of what was created.
 *
 * @throws Error where it was not
 */
export const idOf = (reply: Reply): string => {
  assertCreated(reply);
  return String((JSON.parse(reply.text) as { id: string }).id);
};
