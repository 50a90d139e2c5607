import type { EndSessionsRequest, LoginHistoryRequest, LoginRecord, UserSession } from '@lintel/contracts';

/** Port to the logins of users, which auth stores. Each method rejects with AUTH_UNAVAILABLE during an outage. */
export interface UserSessions {
  /** The logins of a user that have not ended, the newest first. */
  list(username: string): Promise<readonly UserSession[]>;
  /** Ends the selected logins; returns their number. */
  end(request: EndSessionsRequest): Promise<number>;
  /** Earlier attempts to log in, the newest first. */
  history(request: LoginHistoryRequest): Promise<readonly LoginRecord[]>;
}
