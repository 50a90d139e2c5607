import type { ApplicationData } from '../data-manager.ts';
import type { CallerSession } from '../sessions/session-attributes.ts';
import type { EntitySerializer } from './entity-serializer.ts';

export interface FileTicketOptions {
  /** Whether a browser stores the file in any case, instead of showing it; false by default. */
  readonly attachment?: boolean;
}

/** A download without a token. */
export interface FileTicket {
  /** Path and query, with the ticket; as long as a browser sends it unchanged, it works once. */
  readonly url: string;
  /** Seconds until the ticket expires. */
  readonly expiresIn: number;
}

/** The context of a call that a service method or a controller gets in addition to its parameters. */
export interface ServiceContext {
  /** User name of the caller, `anonymous` on anonymous URLs. */
  readonly username: string;
  /** Locale of the request, in underscore form. */
  readonly locale: string;
  /**
   * The text of a message's key in that locale, filled with the parameters (ICU syntax); the key itself if
   * there is no such text.
   */
  readonly message: (key: string, parameters?: Readonly<Record<string, string | number>>) => string;
  /** Local attributes of the user, as in the response of `/userInfo`. */
  readonly userAttributes: Readonly<Record<string, unknown>>;
  /** Session attributes of the caller (`sessionAttributes` of the application). */
  readonly session: CallerSession;
  /** Whether a role of the caller grants the specific permission. */
  readonly isPermitted: (permission: string) => boolean;
  /** Reads and writes under the caller's access; `data.unconstrained()` without it. */
  readonly data: ApplicationData;
  /** Writes instances as the API does, without the attributes that are hidden from the caller. */
  readonly serializer: EntitySerializer;
  /**
   * A ticket with which the caller gets a file, also with `svc.files.access=references` where the caller may not read
   * what refers to it: check before whom it is for. It is valid for one download of this file, for a minute, while the
   * caller is logged in. Rejects with 400 for a text that is no file reference, 403 for callers without a login, 429
   * above the maximum of a session, 503 without auth.
   */
  readonly fileTicket: (fileRef: string, options?: FileTicketOptions) => Promise<FileTicket>;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** Whether everything is rolled back at the end: the call is a rehearsal. */
  readonly isDryRun: boolean;
  /**
   * Records how far a call is that continues without its client (contract/services.md#long-running), at most once in half
   * a second. Operators see `text`, too. A call whose client waits records nothing.
   */
  readonly progress: (done: number, of: number, text?: string) => void;
}
