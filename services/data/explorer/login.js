/** A token is renewed this long before it expires; one with a short life in the last fifth of it. */
const MARGIN_MS = 60_000;
/** The greatest delay of a timer. */
const MAX_DELAY_MS = 2 ** 31 - 1;
/** After a renewal that failed although the login may be valid, such as without a network. */
const RETRY_DELAY_MS = 10_000;

/**
 * A login: its access token, which is renewed before it expires. The refresh token of a public client works once, so
 * that there is at most one renewal at a time. The event `end` reports that the server has ended the login.
 */
export class Login extends EventTarget {
  #renewTokens;
  #tokens;
  #renewAt;
  #renewal;
  #timer;
  #isClosed = false;

  /**
   * @param {import('./oauth.js').Tokens} tokens
   * @param {(refreshToken: string) => Promise<import('./oauth.js').Tokens>} renewTokens
   */
  constructor(tokens, renewTokens) {
    super();
    this.#renewTokens = renewTokens;
    this.#accept(tokens);
  }

  /** The access token; renewed before, if it expires soon. */
  async accessToken() {
    if (!this.#isClosed && Date.now() >= this.#renewAt) await this.#renew();
    return this.#tokens.accessToken;
  }

  /** Renews no more. The tokens stay valid. */
  close() {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #accept({ accessToken, refreshToken = this.#tokens?.refreshToken, expiresIn }) {
    this.#tokens = { accessToken, refreshToken };
    const isRenewable = refreshToken !== undefined && expiresIn !== undefined;
    const lifeMs = expiresIn * 1_000;
    this.#renewAt = isRenewable ? Date.now() + lifeMs - Math.min(MARGIN_MS, lifeMs / 5) : Number.POSITIVE_INFINITY;
    this.#wait();
  }

  #wait() {
    if (this.#renewAt === Number.POSITIVE_INFINITY) return;
    const next = () => (Date.now() >= this.#renewAt ? this.#renew() : this.#wait());
    this.#start(next, Math.min(this.#renewAt - Date.now(), MAX_DELAY_MS));
  }

  #start(callback, delayMs) {
    clearTimeout(this.#timer);
    if (!this.#isClosed) this.#timer = setTimeout(callback, delayMs);
  }

  #renew() {
    this.#renewal ??= this.#renewTokens(this.#tokens.refreshToken)
      .then((tokens) => this.#accept(tokens))
      .catch((error) => this.#fail(error))
      .finally(() => {
        this.#renewal = undefined;
      });
    return this.#renewal;
  }

  #fail(error) {
    if (error.isFinal !== true) {
      this.#start(() => this.#renew(), RETRY_DELAY_MS);
      return;
    }
    this.close();
    this.dispatchEvent(new CustomEvent('end', { detail: error.message }));
  }
}
