/** What the requests of the page are sent with. It lives in the memory of the page only. */
export class Credentials extends EventTarget {
  /** @type {string | undefined} */
  #token;
  /** @type {import('./login.js').Login | undefined} */
  #login;
  /** @type {{ id: string, secret: string } | undefined} */
  #client;

  get hasToken() {
    return this.#token !== undefined || this.#login !== undefined;
  }

  /** The login that requests are sent with. */
  get login() {
    return this.#login;
  }

  /** A token that nothing renews; undefined removes token and login. */
  setToken(token) {
    this.#replace(token, undefined);
  }

  /** @param {import('./login.js').Login} login */
  setLogin(login) {
    login.addEventListener('end', ({ detail }) => {
      if (this.#login !== login) return;
      this.setToken(undefined);
      this.dispatchEvent(new CustomEvent('end', { detail }));
    });
    this.#replace(undefined, login);
  }

  #replace(token, login) {
    this.#login?.close();
    this.#token = token;
    this.#login = login;
    this.dispatchEvent(new Event('change'));
  }

  /** The access token, renewed if it expires soon. */
  async accessToken() {
    return this.#login === undefined ? this.#token : await this.#login.accessToken();
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
   * @returns {Promise<string | undefined>}
   */
  async headerFor(security, schemes) {
    const accepted = security.flatMap((requirement) => Object.keys(requirement)).map((name) => schemes[name]);
    const isBasic = ({ type, scheme }) => type === 'http' && scheme === 'basic';
    if (this.hasToken && accepted.some((one) => one !== undefined && !isBasic(one)))
      return `Bearer ${await this.accessToken()}`;
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
