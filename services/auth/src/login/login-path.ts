import type { PendingInteractions } from '../provider/pending-interactions.ts';

/** Where browsers log in (contract/tokens.md#endpoints). */
export const LOGIN_PATH = '/as-login';

/** The address of the page of an interaction, which holds the interaction itself until the person has answered. */
export async function loginAddress(uid: string, pending: PendingInteractions): Promise<string> {
  const state = await pending.stateOf(uid);
  return `${LOGIN_PATH}?interaction=${uid}${state === undefined ? '' : `&state=${state}`}`;
}
