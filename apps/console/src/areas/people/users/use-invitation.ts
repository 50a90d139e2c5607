import { useApi, useText } from '../../../context.ts';
import { useAction } from '../api/use-action.ts';

const PASSWORD_BYTES = 32;

/** A random password: a user who is invited chooses another one. */
export const unknownPassword = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(PASSWORD_BYTES))));

/** Sends a user the link of an invitation by mail. */
export function useInvitation() {
  const text = useText();
  const api = useApi();
  return useAction(
    (username: string) =>
      api.send('POST', 'userSession', `/password-change?${new URLSearchParams({ username, mail: 'true' })}`),
    { done: text('users.invited') },
  );
}
