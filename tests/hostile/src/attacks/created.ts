import type { Reply } from '../client/send-request.ts';

/**
 * The id of what was created.
 *
 * @throws Error where it was not
 */
export const idOf = ({ status, text }: Reply): string => {
  if (status !== 201) throw new Error(`It was not created: ${status} ${text}`);
  return String((JSON.parse(text) as { id: string }).id);
};
