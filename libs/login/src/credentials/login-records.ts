import type { SecurityLog } from '@lintel/telemetry';
import type { LoginAttempt, LoginResult } from './login-check.ts';
import type { LoginHistory } from './login-history.ts';

type Accepted = Extract<LoginResult, { readonly kind: 'accepted' }>;
type From = Pick<LoginAttempt, 'clientId' | 'address'>;

/** Why a login with the right password is refused. */
export type LateRefusal = 'password-change-required' | 'second-factor-required';

/** Records what comes of a right password, which alone is no login yet. */
export interface LoginRecords {
  /** Adds the right password to the history of the user. */
  noteRight(from: From, accepted: Accepted): void;
  /** Records a login that is refused although the password is right. */
  refused(from: From, accepted: Accepted, reason: LateRefusal): void;
  /** Records a login whose factors were all right. */
  succeeded(from: From, login: { readonly username: string; readonly provider?: string | undefined }): void;
}

export interface LoginRecordsDeps {
  readonly history: Pick<LoginHistory, 'note'>;
  readonly security: SecurityLog;
}

export function createLoginRecords({ history, security }: LoginRecordsDeps): LoginRecords {
  const note = ({ clientId, address }: From, { account, provider }: Accepted, outcome: 'succeeded' | 'refused') => {
    const method = provider === undefined ? 'password' : 'directory';
    history.note({ username: account.username, outcome, clientId, address, method, provider });
  };
  return {
    noteRight: (from, accepted) => note(from, accepted, 'succeeded'),
    refused(from, accepted, reason) {
      note(from, accepted, 'refused');
      const { clientId, address } = from;
      security.record('login.failed', { username: accepted.account.username, clientId, address, reason });
    },
    succeeded({ clientId, address }, { username, provider }) {
      security.record('login.succeeded', {
        username,
        clientId,
        address,
        ...(provider === undefined ? {} : { provider }),
      });
    },
  };
}
