/** A user, as far as the rights of the caller show it. */
export interface User {
  readonly id: string;
  readonly version?: number;
  readonly username: string;
  readonly firstName?: string | null;
  readonly lastName?: string | null;
  readonly email?: string | null;
  readonly active?: boolean | null;
  readonly locale?: string | null;
  readonly country?: string | null;
}
