import { randomBytes } from 'node:crypto';
import { type Administrator, visibleName } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import type { FairQueue } from '@lintel/http';
import { hashPassword } from '@lintel/passwords';
import { userNameKey } from '@lintel/security';
import type { SecurityLog } from '@lintel/telemetry';
import { z } from 'zod';
import type { AccountDirectory } from '../../accounts/account.ts';
import type { EventPublisher } from '../../event-publisher.ts';
import type { Clock, IdSource } from '../../ports.ts';
import type { Client, ClientRegistry } from '../client.ts';
import { type ClientDefaults, usesSecret } from '../define-client.ts';
import { assertMayGive } from './assert-may-give.ts';
import { type ClientMetadata, clientMetadataSchema, clientOf, metadataProblems } from './client-metadata.ts';
import type { ClientRecord, ClientStore, StoredClient } from './client-store.ts';
import { assertMayEndanger, assertMayTrust, dangerousChanges } from './client-trust.ts';
import { parseBody } from './parse-body.ts';
import type { StoredClients } from './stored-clients.ts';

export interface AdministerClientsDeps {
  readonly clients: ClientRegistry;
  readonly stored: StoredClients;
  readonly store: ClientStore;
  readonly defaults: ClientDefaults;
  readonly maxClients: number;
  readonly accounts: Pick<AccountDirectory, 'namesLike'>;
  readonly hashing: Pick<FairQueue, 'run'>;
  /** Why oidc-provider does not accept the client; undefined if it does. */
  readonly problemOf: (client: Client) => Promise<string | undefined>;
  /** Ends all logins at a client with their tokens, and the tokens of the client itself. */
  readonly endClient: (clientId: string, reason: string) => Promise<void>;
  readonly sessions: { endClientTokens(clientId: string): Promise<void> };
  readonly consents: { endOfClient(clientId: string): Promise<void> };
  readonly events: EventPublisher;
  readonly security: SecurityLog;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** A client as the API returns it. */
export type ClientView = Readonly<Record<string, unknown>>;

/** One secret remains valid while another one is distributed. */
const MAX_SECRETS = 2;
const SECRET_BYTES = 32;
/** Expired clients that one new client removes. */
const MAX_EXPIRED = 10;

/** Years and offsets that PostgreSQL does not accept are valid in ISO 8601: it receives the time in UTC. */
const time = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text).toISOString())
  .refine((text) => /^(?!0000)\d{4}-/.test(text), 'must be in the years 1 to 9999');
const body = clientMetadataSchema.extend({
  // Stored names may be older than this rule: their clients go on.
  name: visibleName(255).optional(),
  enabled: z.boolean().default(true),
  expiresAt: time.nullable().default(null),
});
const CLIENT_ID = /^[A-Za-z0-9._~-]{1,100}$/;
const newBody = body.extend({
  clientId: z.string().regex(CLIENT_ID, 'must be 1 to 100 of the characters A-Z, a-z, 0-9, ., _, ~ and -').optional(),
});
const secretBody = z.strictObject({ expiresAt: time.nullable().default(null) });
const RESERVED: ReadonlySet<string> = new Set(['anonymous', 'system']);

/** Creates, changes and removes the clients of the database (contract/clients.md#clients). */
export class ClientAdministration {
  readonly #deps: AdministerClientsDeps;

  constructor(deps: AdministerClientsDeps) {
    this.#deps = deps;
  }

  /** Clients of the configuration and of the database, by id. */
  list(limit: number, offset: number): readonly ClientView[] {
    const { clients, stored } = this.#deps;
    const configured = clients.configured().map(({ clientId, name }) => ({ clientId, name, source: 'configuration' }));
    const others = stored.stored().filter(({ clientId }) => !clients.isConfigured(clientId));
    return [...configured, ...others.map(viewOf)].slice(offset, offset + limit);
  }

  async get(clientId: string): Promise<ClientView> {
    const configured = this.#deps.clients.isConfigured(clientId) ? this.#deps.clients.find(clientId) : undefined;
    if (configured !== undefined) return { clientId, name: configured.name, source: 'configuration' };
    return viewOf(await this.#load(clientId));
  }

  /** @param registrationTokenHash of the token with which the client changes its own registration */
  async create(
    caller: Administrator,
    given: unknown,
    registrationTokenHash: string | null = null,
  ): Promise<ClientView> {
    const { store, ids, accounts, clients, maxClients } = this.#deps;
    const { clientId = ids.next(), enabled, expiresAt, ...metadata } = parseBody(newBody, given);
    // Sessions of clients have the id of the client in the member of the user name.
    if (RESERVED.has(userNameKey(clientId)) || (await accounts.namesLike(clientId)).length > 0)
      throw invalid('clientId: is the name of a user');
    const assertFree = (all: readonly { readonly clientId: string }[]) => {
      const other = all.find((each) => userNameKey(each.clientId) === userNameKey(clientId));
      if (other !== undefined)
        throw new PlatformError('DATA_ALREADY_EXISTS', `clientId: there is a client ${other.clientId}`);
    };
    assertFree(clients.configured());
    assertMayTrust(clientId, { isRegistered: registrationTokenHash !== null, after: metadata }, caller);
    const client = await this.#check(clientId, metadata, caller);
    await this.#removeExpired(caller);
    const by = caller.username;
    const record = { clientId, metadata, isEnabled: enabled, expiresAt, registrationTokenHash, by };
    if (!(await store.insert(record, maxClients))) {
      assertFree(await store.load());
      throw invalid(`There are ${maxClients} clients already (svc.authserver.max-clients)`);
    }
    const secret = usesSecret(client) ? await this.#newSecret(clientId, null, caller) : undefined;
    await this.#announce(clientId, caller, 'created');
    const view = viewOf(await this.#load(clientId));
    return secret === undefined ? view : { ...view, clientSecret: secret.clientSecret };
  }

  /**
   * Changes the given members; null restores the default of a member. A client that authenticates with a secret only
   * from now on gets one.
   */
  async update(caller: Administrator, clientId: string, given: unknown): Promise<ClientView> {
    const { store } = this.#deps;
    const before = await this.#change(clientId, caller);
    const members = z.record(z.string(), z.unknown(), 'The body must be an object').safeParse(given);
    if (!members.success) throw invalid('The body must be an object');
    const { isEnabled: enabled, expiresAt, metadata } = before;
    const merged = Object.entries({ ...(metadata as object), enabled, expiresAt, ...members.data });
    const next = parseBody(body, Object.fromEntries(merged.filter(([, value]) => value !== null)));
    const { enabled: isEnabled, expiresAt: ends, ...changed } = next;
    const former = metadataOf(before);
    const dangerous = dangerousChanges(former, changed);
    if (dangerous.length > 0) assertMayEndanger(clientId, former, caller);
    const isRegistered = before.registrationTokenHash !== null;
    assertMayTrust(clientId, { isRegistered, before: former, after: changed }, caller);
    const client = await this.#check(clientId, changed, caller);
    const record: ClientRecord = { ...before, metadata: changed, isEnabled, expiresAt: ends, by: caller.username };
    if (!(await store.update(record, before.updatedAt)))
      throw new PlatformError('REQ_PRECONDITION_FAILED', `The client ${clientId} was changed by another request`);
    // Secrets of a client that does not use them any more would work again with a later change.
    if (!usesSecret(client))
      for (const { id } of before.secrets) await store.removeSecret(clientId, id, caller.username);
    const secret =
      usesSecret(client) && !this.#hadSecret(before) ? await this.#newSecret(clientId, null, caller) : undefined;
    await this.#announce(clientId, caller, 'updated', Object.keys(members.data));
    if (dangerous.length > 0) await this.#endTrust(clientId, `client changed: ${dangerous.join(', ')}`);
    else await this.#endWhatIsOver(before, client);
    const view = viewOf(await this.#load(clientId));
    return secret === undefined ? view : { ...view, clientSecret: secret.clientSecret };
  }

  async remove(caller: Administrator, clientId: string): Promise<void> {
    assertMayEndanger(clientId, metadataOf(await this.#change(clientId, caller)), caller);
    await this.#deps.store.remove(clientId);
    await this.#endRemoved(clientId, caller, 'removed');
  }

  /** Registered clients that have expired: otherwise they would count for the maximum for ever. */
  async #removeExpired(caller: Administrator): Promise<void> {
    for (const clientId of await this.#deps.store.removeExpired(MAX_EXPIRED))
      await this.#endRemoved(clientId, caller, 'expired');
  }

  async #endRemoved(clientId: string, caller: Administrator, reason: string): Promise<void> {
    await this.#announce(clientId, caller, reason);
    // Another client of this id would have the consents.
    await this.#endTrust(clientId, `client ${reason}`);
  }

  /** Ends what users have given to the client as it was: their logins and consents. */
  async #endTrust(clientId: string, reason: string): Promise<void> {
    await this.#deps.endClient(clientId, reason);
    await this.#deps.consents.endOfClient(clientId);
  }

  /** A secret of a caller with full access replaces another one, and the logins go on. */
  async #endTrustBySecret(clientId: string, caller: Administrator): Promise<void> {
    if (!caller.isUnlimited) await this.#endTrust(clientId, 'secret changed');
  }

  /** A second secret, so that a client can be given it before the first one ends. */
  async createSecret(caller: Administrator, clientId: string, given: unknown): Promise<ClientView> {
    const before = await this.#change(clientId, caller);
    const { expiresAt } = parseBody(secretBody, given ?? {});
    const metadata = clientMetadataSchema.parse(before.metadata);
    assertMayEndanger(clientId, metadata, caller);
    if (!usesSecret(clientOf(clientId, metadata, this.#deps.defaults)))
      throw invalid('The client authenticates without a secret (authenticationMethods)');
    const secret = await this.#newSecret(clientId, expiresAt, caller);
    if (secret === undefined) throw invalid(`A client has at most ${MAX_SECRETS} secrets: end one first`);
    await this.#announce(clientId, caller, 'secret created');
    await this.#endTrustBySecret(clientId, caller);
    return secret;
  }

  async removeSecret(caller: Administrator, clientId: string, secretId: string): Promise<void> {
    const before = await this.#change(clientId, caller);
    assertMayEndanger(clientId, metadataOf(before), caller);
    if (!before.secrets.some(({ id }) => id === secretId))
      throw new PlatformError('REQ_NOT_FOUND', 'There is no such secret');
    await this.#deps.store.removeSecret(clientId, secretId, caller.username);
    await this.#announce(clientId, caller, 'secret ended');
    await this.#endTrustBySecret(clientId, caller);
  }

  /** The stored client, which the caller may change: with its roles the caller could act as the client. */
  async #change(clientId: string, caller: Administrator): Promise<StoredClient> {
    if (this.#deps.clients.isConfigured(clientId))
      throw new PlatformError('ACCESS_DENIED', `The client ${clientId} is part of the configuration`);
    const stored = await this.#load(clientId);
    const metadata = metadataOf(stored);
    if (metadata !== undefined) assertMayGive(metadata, caller);
    return stored;
  }

  /** The client of the stored metadata; undefined if they are not valid for this version. */
  #clientOf(stored: StoredClient): Client | undefined {
    const metadata = metadataOf(stored);
    return metadata && clientOf(stored.clientId, metadata, this.#deps.defaults);
  }

  #hadSecret(stored: StoredClient): boolean {
    const client = this.#clientOf(stored);
    return client === undefined || usesSecret(client);
  }

  /** Ends tokens that the client could not get as it is now. */
  async #endWhatIsOver(stored: StoredClient, after: Client): Promise<void> {
    const { sessions, clients, endClient } = this.#deps;
    const { clientId } = stored;
    if (clients.find(clientId) === undefined) return endClient(clientId, 'client disabled');
    const before = this.#clientOf(stored);
    const isNarrowed =
      before === undefined ||
      [...before.grantTypes].some((grant) => !after.grantTypes.has(grant)) ||
      before.scopes.some((scope) => !after.scopes.includes(scope));
    if (isNarrowed) return endClient(clientId, 'client changed');
    const rolesOf = ({ resourceRoles, rowLevelRoles }: Client): string =>
      JSON.stringify([resourceRoles, rowLevelRoles]);
    if (rolesOf(before) !== rolesOf(after)) await sessions.endClientTokens(clientId);
  }

  async #load(clientId: string): Promise<StoredClient> {
    const [stored] = CLIENT_ID.test(clientId) ? await this.#deps.store.load([clientId]) : [];
    if (stored === undefined) throw new PlatformError('REQ_NOT_FOUND', 'There is no such client');
    return stored;
  }

  async #check(clientId: string, metadata: ClientMetadata, caller: Administrator): Promise<Client> {
    const { defaults, problemOf } = this.#deps;
    const problems = metadataProblems(clientId, metadata, defaults);
    if (problems.length > 0) throw invalid(problems.join('; '));
    assertMayGive(metadata, caller);
    const client = clientOf(clientId, metadata, defaults);
    const problem = await problemOf(client);
    if (problem !== undefined) throw invalid(problem);
    return client;
  }

  async #newSecret(clientId: string, expiresAt: string | null, caller: Administrator): Promise<ClientView | undefined> {
    const { store, ids, clock, hashing } = this.#deps;
    if (expiresAt !== null && Date.parse(expiresAt) <= clock.now()) throw invalid('expiresAt: must be in the future');
    const clientSecret = randomBytes(SECRET_BYTES).toString('base64url');
    const hash = await hashing.run(caller.username, () => hashPassword(clientSecret));
    const id = ids.next();
    const isAdded = await store.addSecret(clientId, { id, hash, expiresAt }, caller.username, MAX_SECRETS);
    return isAdded ? { id, clientSecret, expiresAt } : undefined;
  }

  /** Makes a change effective here at once, and in the other replicas by an event. */
  async #announce(clientId: string, caller: Administrator, reason: string, attributes?: string[]): Promise<void> {
    const { stored, events, security } = this.#deps;
    security.record('client.changed', {
      clientId,
      username: caller.username,
      reason,
      ...(attributes === undefined ? {} : { attributes }),
    });
    await stored.reload([clientId]);
    await events.publish('auth.client.changed.v1', clientId, { clientId });
  }
}

/** The stored metadata; undefined if they are not valid for this version. */
const metadataOf = ({ metadata }: StoredClient): ClientMetadata | undefined =>
  clientMetadataSchema.safeParse(metadata).data;

function viewOf({ clientId, metadata, isEnabled, expiresAt, secrets, ...rest }: StoredClient): ClientView {
  const { createdAt, createdBy, updatedAt, updatedBy } = rest;
  return {
    clientId,
    source: 'database',
    ...(metadata as object),
    enabled: isEnabled,
    expiresAt,
    secrets: secrets.map(({ hash: _, ...secret }) => secret),
    createdAt,
    createdBy,
    updatedAt,
    updatedBy,
  };
}

const invalid = (text: string): PlatformError => new PlatformError('REQ_INVALID_PARAMETER', text);
