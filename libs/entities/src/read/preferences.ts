/** How the number of all matching instances is found. */
export type CountPreference = 'exact' | 'estimated' | 'none';

/** What the client asks for by `Prefer` (RFC 7240). What is not known is ignored. */
export interface ReadPreferences {
  readonly count?: CountPreference;
  /** `Server-Timing` in the response. */
  readonly serverTiming?: true;
}

export const NO_PREFERENCES: ReadPreferences = Object.freeze({});
