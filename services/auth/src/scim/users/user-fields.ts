/** What SCIM writes of a user. */
export interface UserFields {
  readonly userName: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly email: string | null;
  readonly active: boolean;
  /** In the form of the platform: `de_DE`. */
  readonly locale: string | null;
  readonly displayName: string | null;
  readonly externalId: string | null;
}

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
