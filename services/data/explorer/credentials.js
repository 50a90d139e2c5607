/** What the requests of the page are sent with. It lives in the memory of the page only. */
export class Credentials extends EventTarget {
  /** @type {string | undefined} */
  #token;
  /** @type {{ id: string, secret: string } | undefined} */
  #client;

  get hasToken() {
    return this.#token !== undefined;
  }

  setToken(token) {
    this.#token = token;
    this.dispatchEvent(new Event('change'));
  }

  setClient(client) {
    this.#client = client;
    this.dispatchEvent(new Event('change'));
  }

  get hasClient() {
    return this.#client !== undefined;
  }

  /**
   * The `Authorization` header of an operation; undefined if there are no credentials that it accepts.
   *
   * @param {readonly Record<string, unknown>[]} security of the operation
   * @param {Record<string, { type: string, scheme?: string }>} schemes of the document
   */
  headerFor(security, schemes) {
    const accepted = security.flatMap((requirement) => Object.keys(requirement)).map((name) => schemes[name]);
    const isBasic = ({ type, scheme }) => type === 'http' && scheme === 'basic';
    if (this.#token !== undefined && accepted.some((one) => one !== undefined && !isBasic(one)))
      return `Bearer ${this.#token}`;
    if (this.#client !== undefined && accepted.some((one) => one !== undefined && isBasic(one)))
      return basic(this.#client);
    return undefined;
  }
}

/** The header of HTTP's basic scheme, in UTF-8. */
export function basic({ id, secret }) {
  const bytes = new TextEncoder().encode(`${id}:${secret}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}
