import { randomBytes } from 'node:crypto';
import { isPlatformError } from '@lintel/errors';
import { isSameSecret } from '@lintel/http';
import type { AttemptGuard } from '@lintel/login';
import type { ClientAdministration, ClientView } from '../clients/stored/administer-clients.ts';
import type { ClientStore } from '../clients/stored/client-store.ts';
import { hashToken } from '../hash-token.ts';
import { OAuthFailure } from '../tokens/oauth/oauth-failure.ts';
import { tooManyFailures } from '../tokens/oauth/refusals.ts';
import { clientFromRegistration, invalidMetadata, registrationOf } from './registration-metadata.ts';

export interface ClientRegistrationDeps {
  readonly administration: ClientAdministration;
  readonly store: Pick<ClientStore, 'load'>;
  readonly initialToken: string;
  readonly scopes: readonly string[];
  readonly clientLifeMs: number | undefined;
  /** Counts wrong tokens of one address. */
  readonly guard: AttemptGuard;
  /** Where the client finds its registration. */
  readonly endpoint: string;
  readonly now: () => number;
}

/** A request with a token. */
export interface RegistrationCall {
  readonly authorization: string | undefined;
  readonly address: string;
  /** Reads the body; called if the token is right. */
  readonly body: () => Promise<unknown>;
}

const BY = {
  username: 'dynamic registration',
  isUnlimited: true,
  resourceRoles: [],
  rowLevelRoles: [],
  coversMaker: true,
};

/** Dynamic registration of clients (RFC 7591), and what a client may do with its registration (RFC 7592). */
export class ClientRegistration {
  readonly #deps: ClientRegistrationDeps;

  constructor(deps: ClientRegistrationDeps) {
    this.#deps = deps;
  }

  async register(call: RegistrationCall): Promise<Record<string, unknown>> {
    const { administration, initialToken, scopes, clientLifeMs, now } = this.#deps;
    await this.#guarded(call, async (token) => isSameSecret(token, initialToken));
    const registrationToken = randomBytes(32).toString('base64url');
    const expiresAt = clientLifeMs === undefined ? null : new Date(now() + clientLifeMs).toISOString();
    const client = { ...withoutUndefined(clientFromRegistration(await call.body(), scopes)), expiresAt };
    const created = await asMetadataError(() => administration.create(BY, client, hashToken(registrationToken)));
    return { ...this.#responseOf(created), registration_access_token: registrationToken };
  }

  async read(call: RegistrationCall, clientId: string): Promise<Record<string, unknown>> {
    await this.#assertOwner(call, clientId);
    return this.#responseOf(await this.#deps.administration.get(clientId));
  }

  /** Replaces all metadata; the secret stays. A client that authenticates with a secret only from now on gets one. */
  async replace(call: RegistrationCall, clientId: string): Promise<Record<string, unknown>> {
    const { administration, scopes } = this.#deps;
    await this.#assertOwner(call, clientId);
    const body = await call.body();
    const named = typeof body === 'object' && body !== null && 'client_id' in body ? body.client_id : undefined;
    if (named !== clientId) throw invalidMetadata('client_id: must be that of the registration');
    const client = Object.entries(clientFromRegistration(body, scopes)).map(([name, value]) => [name, value ?? null]);
    return this.#responseOf(
      await asMetadataError(() => administration.update(BY, clientId, Object.fromEntries(client))),
    );
  }

  async remove(call: RegistrationCall, clientId: string): Promise<void> {
    await this.#assertOwner(call, clientId);
    await this.#deps.administration.remove(BY, clientId);
  }

  /** A client that does not exist is refused as a wrong token (RFC 7592 §2.1). */
  async #assertOwner(call: RegistrationCall, clientId: string): Promise<void> {
    await this.#guarded(call, async (token) => {
      const [stored] = /^[\w.~-]{1,100}$/.test(clientId) ? await this.#deps.store.load([clientId]) : [];
      const hash = stored?.registrationTokenHash ?? '';
      return stored?.isEnabled === true && isSameSecret(hashToken(token), hash);
    });
  }

  async #guarded({ authorization, address }: RegistrationCall, isRight: (token: string) => Promise<boolean>) {
    const token = /^Bearer +([\w.~+/=-]{1,500})$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) throw wrongToken();
    const result = await this.#deps.guard.run({ name: 'registration', address }, async () => {
      const value = await isRight(token);
      return { kind: value ? 'right' : 'wrong', value };
    });
    if (result.kind === 'not-made') throw tooManyFailures();
    if (!result.value) throw wrongToken();
  }

  #responseOf(client: ClientView): Record<string, unknown> {
    const { clientId, clientSecret } = client;
    return {
      ...registrationOf(client),
      ...(clientSecret === undefined ? {} : { client_secret: clientSecret, client_secret_expires_at: 0 }),
      registration_client_uri: `${this.#deps.endpoint}/${encodeURIComponent(String(clientId))}`,
    };
  }
}

const withoutUndefined = (value: object): object =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined));

const wrongToken = (): OAuthFailure =>
  new OAuthFailure({
    status: 401,
    error: 'invalid_token',
    description: 'Invalid access token',
    headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
  });

async function asMetadataError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isPlatformError(error) && error.status === 400) throw invalidMetadata(error.details ?? '');
    throw error;
  }
}
