import { hash, randomBytes } from 'node:crypto';
import type { KeyValueStore } from '@lintel/cache';
import { z } from 'zod';

/** A request for which a ticket stands. */
export interface TicketTarget {
  readonly method: string;
  /** Path and query, without the ticket. */
  readonly url: string;
}

/** The caller that a ticket was issued to: claims of the JWT that its request will have. */
const callerSchema = z.object({
  sub: z.string(),
  client_id: z.string(),
  sid: z.string(),
  scope: z.string().optional(),
  /** How its user was authenticated, and when. */
  authentication: z
    .object({ acr: z.string(), amr: z.array(z.string()), auth_time: z.number() })
    .partial()
    .optional(),
  /** `<storage>://<path>` of the file that the ticket grants, whatever its caller may read. */
  file: z.string().optional(),
});
export type TicketCaller = z.infer<typeof callerSchema>;

/** One-time tickets (contract/tokens.md#tickets). */
export interface Tickets {
  /** Returns undefined above the maximum of the session. */
  issue(caller: TicketCaller, target: TicketTarget): Promise<string | undefined>;
  /**
   * The caller of a ticket, once: a ticket is used up by its first use, also by a wrong one.
   *
   * @returns undefined for a ticket that is unknown, expired, used, or for another request
   */
  redeem(ticket: string, target: TicketTarget): Promise<TicketCaller | undefined>;
}

/** Tickets of one session within a minute. */
const MAX_PER_MINUTE = 600;
const MINUTE_MS = 60_000;
const SECRET_BYTES = 32;

const storedSchema = z.object({ caller: callerSchema, target: z.string() });

const nameOf = (ticket: string): string => hash('sha256', ticket, 'base64url');
/** A digest: URLs may be long, and name what others must not know. */
const digestOf = ({ method, url }: TicketTarget): string => hash('sha256', `${method} ${url}`, 'base64url');

/** They are in the store that all replicas share, by the digests of their secrets. */
export function createTickets(
  keyValues: Pick<KeyValueStore, 'get' | 'set' | 'delete' | 'increment'>,
  lifeMs: number,
): Tickets {
  return {
    async issue(caller, target) {
      if ((await keyValues.increment(`tickets:issued:${caller.sid}`, MINUTE_MS)) > MAX_PER_MINUTE) return undefined;
      const ticket = randomBytes(SECRET_BYTES).toString('base64url');
      const stored: z.infer<typeof storedSchema> = { caller, target: digestOf(target) };
      await keyValues.set(`tickets:${nameOf(ticket)}`, JSON.stringify(stored), lifeMs);
      return ticket;
    },
    async redeem(ticket, target) {
      const name = nameOf(ticket);
      const text = await keyValues.get(`tickets:${name}`);
      if (text === undefined) return undefined;
      // Of concurrent requests only the first one gets 1; the counter lives longer than the ticket.
      if ((await keyValues.increment(`tickets:used:${name}`, lifeMs + MINUTE_MS)) !== 1) return undefined;
      await keyValues.delete(`tickets:${name}`);
      const stored = storedSchema.parse(JSON.parse(text));
      return stored.target === digestOf(target) ? stored.caller : undefined;
    },
  };
}
