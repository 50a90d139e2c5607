import type { Principal, Session } from '@lintel/contracts';

/** The parts of a principal that are not in the session. */
export interface PrincipalOptions {
  /** Locale of the request, underscore form. */
  readonly locale: string | null;
  /** The service that acts for the user. */
  readonly actingService: string | undefined;
  /** How strongly the user of the token was authenticated, and when: tokens of one session may differ. */
  readonly acr?: string | undefined;
  readonly authTime?: number | undefined;
  /** The only file that the token opens. */
  readonly grantedFile?: string | undefined;
}

/** The principal of a session. */
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
  sessionAttributes: session.sessionAttributes,
  acr: options.acr,
  authTime: options.authTime,
  actingService: options.actingService,
  seenBy: session.seenBy,
  grantedFile: options.grantedFile,
});
