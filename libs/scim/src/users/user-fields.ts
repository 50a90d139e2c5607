/** What SCIM writes of a user. */
export interface UserFields {
  readonly userName: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  /** `name.formatted`, if it was sent. */
  readonly formattedName: string | null;
  readonly email: string | null;
  /** `primary` of the address; true without an address. */
  readonly isPrimary: boolean;
  readonly active: boolean;
  /** In the form of the platform: `de_DE`. */
  readonly locale: string | null;
  readonly displayName: string | null;
  readonly externalId: string | null;
}

/** Fields that only SCIM knows, in the order of their columns. */
export const SENT_FIELDS = ['displayName', 'externalId', 'isPrimary', 'formattedName'] as const;
export type SentField = (typeof SENT_FIELDS)[number];

/** A user as it is stored. */
export interface StoredUser extends UserFields {
  readonly id: string;
  readonly version: string;
  /** ISO 8601 in UTC, or null. */
  readonly created: string | null;
  readonly lastModified: string | null;
  readonly groups: readonly { readonly id: string; readonly name: string }[];
}

export const toLocale = (tag: string | null): string | null => tag?.replaceAll('-', '_') ?? null;
export const fromLocale = (locale: string | null): string | null => locale?.replaceAll('_', '-') ?? null;
