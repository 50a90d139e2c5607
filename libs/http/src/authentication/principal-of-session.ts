import type { Principal, Session } from '@lintel/contracts';

/** What the session of a caller does not say. */
export interface PrincipalOptions {
  /** Locale of the request, underscore form. */
  readonly locale: string | null;
  /** The service that acts for the user. */
  readonly actingService: string | undefined;
}

/** The caller whose session that is. */
export const principalOfSession = (session: Session, options: PrincipalOptions): Principal => ({
  username: session.username,
  kind: session.kind,
  userId: session.userId,
  clientId: session.clientId,
  sessionId: session.id,
  resourceRoles: session.resourceRoles,
  rowLevelRoles: session.rowLevelRoles,
  locale: options.locale,
  attributes: session.attributes,
  actingService: options.actingService,
});
