import type { EndpointFamily } from './oauth-failure.ts';
import { notAForm, repeatedParameter, secretInQuery } from './refusals.ts';

/** Parameters of an OAuth request. An empty parameter counts as absent (RFC 6749 §3.2). */
export class Form {
  readonly #values: URLSearchParams;
  readonly #family: EndpointFamily;

  constructor(values: URLSearchParams, family: EndpointFamily) {
    this.#values = values;
    this.#family = family;
  }

  /**
   * The value, if there is one.
   *
   * @throws OAuthFailure if the parameter is given more than once
   */
  get(name: string): string | undefined {
    const [value, ...more] = this.#values.getAll(name);
    if (more.length > 0) throw repeatedParameter(this.#family, name);
    return value === '' ? undefined : value;
  }

  /** All values of a parameter that may be repeated. */
  all(name: string): readonly string[] {
    return this.#values.getAll(name);
  }

  /** Whether the parameter is present, possibly empty: an empty password is a wrong one. */
  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** Without the credentials of the client, which has been authenticated before. */
  toString(): string {
    const values = new URLSearchParams(this.#values);
    for (const name of ['client_secret', 'client_assertion', 'client_assertion_type']) values.delete(name);
    return values.toString();
  }
}

export interface RawForm {
  readonly family: EndpointFamily;
  readonly contentType: string | undefined;
  readonly body: Buffer;
  /** Query string of the URL, without `?`. */
  readonly query: string;
  /** Whether parameters are accepted in the body only. */
  readonly isHardened: boolean;
}

/** Parameters that are secrets or can be exchanged for one: URLs are stored in logs and histories (RFC 9700 §4.3.2). */
const SECRET_PARAMETERS: ReadonlySet<string> = new Set([
  'access_token',
  'client_assertion',
  'client_secret',
  'code',
  'code_verifier',
  'password',
  'refresh_token',
  'token',
  'username',
]);

/** @throws OAuthFailure 400 invalid_request if a query names a secret */
function assertNoSecrets(query: string): void {
  for (const name of new URLSearchParams(query).keys()) if (SECRET_PARAMETERS.has(name)) throw secretInQuery(name);
}

/**
 * Reads the parameters: from the body, at `/oauth/*` from the query as well (contract/tokens.md#request,
 * #oauth2-response), but no secret of a client (RFC 6749 §2.3.1). The hardened profile reads only the body, and
 * refuses secrets in the query.
 *
 * @throws OAuthFailure if there is a body that is not a form
 */
export function readForm({ family, contentType, body, query, isHardened }: RawForm): Form {
  if (isHardened) assertNoSecrets(query);
  const values = new URLSearchParams(family === 'oauth' && !isHardened ? query : '');
  values.delete('client_secret');
  if (body.length > 0) {
    if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType ?? '')) throw notAForm();
    for (const [name, value] of new URLSearchParams(decode(body))) values.append(name, value);
  }
  return new Form(values, family);
}

function decode(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw notAForm();
  }
}
