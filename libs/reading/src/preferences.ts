/** How the number of all matching instances is determined. */
export type CountPreference = 'exact' | 'estimated' | 'none';

/** The preferences that the client sends in `Prefer` (RFC 7240). Unknown ones are ignored. */
export interface ReadPreferences {
  readonly count?: CountPreference;
  /** `Server-Timing` in the response. */
  readonly serverTiming?: true;
}

/** The preferences of a request without `Prefer`. */
export const NO_PREFERENCES: ReadPreferences = Object.freeze({});
