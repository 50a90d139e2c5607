import type { EndpointLine } from './oauth-failure.ts';
import { notAForm, repeatedParameter, secretInQuery } from './refusals.ts';

/** Parameters of an OAuth request. A parameter that is given empty counts as absent (RFC 6749 §3.2). */
export class Form {
  readonly #values: URLSearchParams;
  readonly #line: EndpointLine;

  constructor(values: URLSearchParams, line: EndpointLine) {
    this.#values = values;
    this.#line = line;
  }

  /**
   * The value, if there is one.
   *
   * @throws OAuthFailure where the parameter is given more than once
   */
  get(name: string): string | undefined {
    const [value, ...more] = this.#values.getAll(name);
    if (more.length > 0) throw repeatedParameter(this.#line, name);
    return value === '' ? undefined : value;
  }

  /** A password may be empty, and is then wrong. */
  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** Without the client's secret: who the client is has been found out by then. */
  toString(): string {
    const values = new URLSearchParams(this.#values);
    values.delete('client_secret');
    return values.toString();
  }
}

export interface RawForm {
  readonly line: EndpointLine;
  readonly contentType: string | undefined;
  readonly body: Buffer;
  /** Query string of the URL, without `?`. */
  readonly query: string;
  /** Whether the query may not hold what belongs into the body. */
  readonly isHardened: boolean;
}

/** Parameters that are secrets, or lead to one: URLs are written to logs and histories (RFC 9700 §4.3.2). */
const SECRET_PARAMETERS: ReadonlySet<string> = new Set([
  'access_token',
  'client_secret',
  'code',
  'code_verifier',
  'password',
  'refresh_token',
  'token',
  'username',
]);

/** @throws OAuthFailure 400 invalid_request where a query names a secret */
export function assertNoSecrets(query: string): void {
  for (const name of new URLSearchParams(query).keys()) if (SECRET_PARAMETERS.has(name)) throw secretInQuery(name);
}

/**
 * Reads the parameters: from the body, at `/oauth/*` from the query as well (contract/tokens.md#request,
 * #oauth2-response), but no secret of a client (RFC 6749 §2.3.1). The hardened profile reads the body alone, and
 * refuses secrets in the query.
 *
 * @throws OAuthFailure where there is a body that is no form
 */
export function readForm({ line, contentType, body, query, isHardened }: RawForm): Form {
  if (isHardened) assertNoSecrets(query);
  const values = new URLSearchParams(line === 'oauth' && !isHardened ? query : '');
  values.delete('client_secret');
  if (body.length > 0) {
    if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType ?? '')) throw notAForm();
    for (const [name, value] of new URLSearchParams(decode(body))) values.append(name, value);
  }
  return new Form(values, line);
}

function decode(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw notAForm();
  }
}
