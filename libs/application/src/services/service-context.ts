import type { ApplicationData } from '../data-manager.ts';
import type { CallerSession } from '../sessions/session-attributes.ts';
import type { EntitySerializer } from './entity-serializer.ts';

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
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}
