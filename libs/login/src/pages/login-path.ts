/** Path of the login page (contract/tokens.md#endpoints). */
export const LOGIN_PATH = '/as-login';

/** The URL of the page of an interaction. It contains the interaction itself until the user submits the page. */
export async function loginAddress(
  uid: string,
  pending: { stateOf(id: string): Promise<string | undefined> },
): Promise<string> {
  const state = await pending.stateOf(uid);
  return `${LOGIN_PATH}?interaction=${uid}${state === undefined ? '' : `&state=${state}`}`;
}
