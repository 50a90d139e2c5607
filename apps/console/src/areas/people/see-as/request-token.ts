import type { Model } from '../../../context.ts';
import { createApi } from '../../../model/api.ts';

/** A token for reading what a user sees. */
export interface SeeAsToken {
  readonly username: string;
  readonly access_token: string;
  /** Seconds. */
  readonly expires_in: number;
}

/** Begins a session that sees what the user sees. */
export const requestToken = (own: Model, username: string): Promise<SeeAsToken> =>
  createApi(own).send('POST', 'rights', '/see-as', { username });
