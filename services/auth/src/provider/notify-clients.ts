import type { Logger } from '@lintel/telemetry';
import type Provider from 'oidc-provider';
import type { Login, NotifyClients } from '../sessions/login.ts';

/** Requests at the same time after the end of many logins. */
const MAX_CONCURRENT = 5;

/** In oidc-provider, but not in its types. */
interface NotifiedClient {
  readonly backchannelLogoutUri?: string;
  backchannelLogout(subject: string, sid: string): Promise<void>;
}

interface Notification {
  readonly username: string;
  readonly clientId: string;
  readonly sid: string;
}

/** Sends logout tokens (OpenID Connect Back-Channel Logout 1.0), each once; a failure is logged. */
export function createLogoutNotifier(provider: Provider, logger: Logger): NotifyClients {
  async function notify({ username, clientId, sid }: Notification): Promise<void> {
    try {
      const client = (await provider.Client.find(clientId)) as unknown as NotifiedClient | undefined;
      if (client?.backchannelLogoutUri !== undefined) await client.backchannelLogout(username, sid);
    } catch (error) {
      logger.warn({ error, clientId }, 'a client did not accept a back-channel logout');
    }
  }
  return (ended) => {
    const left = [...notificationsOf(ended).values()].values();
    for (let worker = 0; worker < MAX_CONCURRENT; worker += 1) void send(left, notify);
  };
}

async function send(left: Iterable<Notification>, notify: (each: Notification) => Promise<void>): Promise<void> {
  for (const each of left) await notify(each);
}

/** Several logins of a client in one browser have one session id. */
const notificationsOf = (ended: readonly Login[]): ReadonlyMap<string, Notification> =>
  new Map(
    ended.flatMap(({ username, clientId, logoutSid: sid }) =>
      sid === undefined ? [] : [[JSON.stringify([clientId, sid]), { username, clientId, sid }] as const],
    ),
  );
