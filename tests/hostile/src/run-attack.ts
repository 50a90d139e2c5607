import type { Attack, Attacker, Sender } from './attacks/attack.ts';
import { connectRaw } from './client/raw-connection.ts';
import { createClient, type HttpClient, type HttpRequest, type Reply } from './client/send-request.ts';
import type { ProbeReport } from './probe/probe-messages.ts';
import type { Probe } from './probe/start-probe.ts';
import type { HostileSystem } from './system/start-hostile-system.ts';

/** What an attack has done. */
export interface AttackResult {
  readonly replies: readonly Reply[];
  readonly report: ProbeReport;
}

/** Users of the demo that attacks are sent by, with their sessions. */
export interface Sessions {
  authorizationOf(sender: Sender): Promise<string | undefined>;
}

const CLIENT = `Basic ${btoa('client:secret')}`;
const ADMIN_ADDRESS = '127.0.0.30';

/** Logs in each sender once. */
export function createSessions(url: string): Sessions {
  const sessions = new Map<Sender, Promise<string>>();
  const logIn = async (username: Sender): Promise<string> => {
    const client = createClient(url, ADMIN_ADDRESS);
    const reply = await client.send({
      method: 'POST',
      path: '/oauth/token',
      headers: { authorization: CLIENT, 'content-type': 'application/x-www-form-urlencoded' },
      body: `grant_type=password&username=${username}&password=${username}`,
    });
    client.close();
    if (reply.status !== 200) throw new Error(`${username} cannot log in: ${reply.status} ${reply.text}`);
    return `Bearer ${(JSON.parse(reply.text) as { access_token: string }).access_token}`;
  };
  return {
    async authorizationOf(sender) {
      if (sender === 'anonymous') return undefined;
      const known = sessions.get(sender) ?? logIn(sender);
      sessions.set(sender, known);
      return known;
    },
  };
}

/** Each attack comes from an address of its own, so that limits by address count for it alone. */
let attackCount = 0;
function nextAddress(): string {
  attackCount += 1;
  return `127.0.${1 + Math.floor(attackCount / 250)}.${1 + (attackCount % 250)}`;
}

/** An attacker at an address of loopback; `close` ends its connections. */
export async function createAttacker(
  sender: Sender,
  system: HostileSystem,
  sessions: Sessions,
  address = nextAddress(),
  client = createClient(system.url, address),
): Promise<{ readonly attacker: Attacker; close(): void }> {
  const administrator = createClient(system.url, ADMIN_ADDRESS);
  const authorization = await sessions.authorizationOf(sender);
  return {
    attacker: {
      send: (request) => sendAs(client, authorization, request),
      asAdmin: async (request) => sendAs(administrator, await sessions.authorizationOf('admin'), request),
      connect: () => connectRaw(system.url, address),
      authorization,
      query: system.query,
    },
    close() {
      client.close();
      administrator.close();
    },
  };
}

/** Carries out an attack while the probe measures; what it needs and leaves is not measured. */
export async function runAttack(
  attack: Attack,
  system: HostileSystem,
  sessions: Sessions,
  probe: Pick<Probe, 'during'>,
): Promise<AttackResult> {
  const { attacker, close } = await createAttacker(attack.sender, system, sessions);
  try {
    await attack.prepare?.(attacker);
    const { result, report } = await probe.during(() => attack.run(attacker));
    return { replies: result, report };
  } finally {
    if (system.isComplete()) await attack.cleanUp?.(attacker);
    close();
  }
}

const sendAs = (client: HttpClient, authorization: string | undefined, request: HttpRequest): Promise<Reply> =>
  client.send({
    ...request,
    headers: { ...(authorization === undefined ? {} : { authorization }), ...request.headers },
  });
