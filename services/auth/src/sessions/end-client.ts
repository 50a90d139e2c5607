import type { LoginStore } from './login.ts';
import type { SessionService } from './session-service.ts';

export interface EndClientDeps {
  readonly logins: Pick<LoginStore, 'ofClient'>;
  readonly sessions: Pick<SessionService, 'endLogins' | 'endClientTokens'>;
}

/** Logins that one statement reads. */
const MAX_TOGETHER = 500;

/** Ends all logins at a client with their tokens, and the tokens of the client itself. */
export async function endClient(clientId: string, reason: string, { logins, sessions }: EndClientDeps): Promise<void> {
  for (;;) {
    const found = await logins.ofClient(clientId, MAX_TOGETHER);
    for (const [username, ended] of Map.groupBy(found, (login) => login.username))
      await sessions.endLogins(username, ended, reason);
    if (found.length < MAX_TOGETHER) break;
  }
  await sessions.endClientTokens(clientId);
}
