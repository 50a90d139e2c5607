import { z } from 'zod';

/** A value of a session attribute (`sessionAttributes` of the application). */
export const sessionValueSchema = z.union([z.string().max(1000), z.number(), z.boolean()]);
export type SessionValue = z.infer<typeof sessionValueSchema>;

/** A session as it is kept in Redis (in memory in standalone mode). Written by auth only. */
export const sessionSchema = z.object({
  id: z.string(),
  username: z.string(),
  /** Key of the `sec_User` instance; null for clients and users that are no entity. */
  userId: z.string().nullable(),
  clientId: z.string(),
  kind: z.enum(['user', 'client', 'anonymous']),
  resourceRoles: z.array(z.string()),
  rowLevelRoles: z.array(z.string()),
  /** Locale in underscore form, or null where none was chosen. */
  locale: z.string().nullable(),
  /** Local, non-secret attributes of the user entity; `{}` when the user is no entity. */
  attributes: z.record(z.string(), z.unknown()),
  /** Columns that migrations of the application added to the users, by name; the data service knows their attributes. */
  userColumns: z.record(z.string(), z.string().nullable()).optional(),
  /** Values that the application has set for this session; absent without any. */
  sessionAttributes: z.record(z.string(), sessionValueSchema).optional(),
  /** Whether the hook `onLogin` of the application has set its values; absent without one. */
  hasLoginAttributes: z.boolean().optional(),
  /** How the user was authenticated, and when (seconds since the epoch); absent where it is not known. */
  acr: z.string().optional(),
  amr: z.array(z.string()).optional(),
  authTime: z.number().optional(),
  /** The user who sees with this session what `username` sees: it is for reading alone. Absent for all others. */
  seenBy: z.string().optional(),
  createdAt: z.iso.datetime(),
});
export type Session = z.infer<typeof sessionSchema>;

/** The caller of a request: claims of the token and what the session adds. */
export interface Principal {
  readonly username: string;
  readonly kind: Session['kind'];
  readonly userId: string | null;
  readonly clientId: string;
  readonly sessionId: string;
  readonly resourceRoles: readonly string[];
  readonly rowLevelRoles: readonly string[];
  /**
   * Locale of the request, one of the available ones (contract/decisions.md#27); the session's, or null, in services
   * that show nothing in a language.
   */
  readonly locale: string | null;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Session attributes that the application has set. */
  readonly sessionAttributes?: Readonly<Record<string, SessionValue>> | undefined;
  /** How strongly the user of the token was authenticated, and when (seconds since the epoch). */
  readonly acr?: string | undefined;
  readonly authTime?: number | undefined;
  /** The service that acts for the user, on internal listeners. */
  readonly actingService: string | undefined;
  /** The user who sees with the session what `username` sees. */
  readonly seenBy?: string | undefined;
  /** `<storage>://<path>` of the only file that the token opens. */
  readonly grantedFile?: string | undefined;
}
