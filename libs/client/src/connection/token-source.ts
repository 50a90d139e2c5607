/** Gives the access token of each request. */
export interface TokenSource {
  /** Called before each request; without a token the request is anonymous. */
  token(): string | undefined | Promise<string | undefined>;
  /**
   * Called with a token that the server has refused. The request is sent again with the token that is returned; without
   * one, the response is the error.
   */
  renew?(refused: string): Promise<string | undefined>;
}

/** A source, or a function that returns the token. */
export type Tokens = TokenSource | TokenSource['token'];
