const DAY_MS = 86_400_000;

/** Whole days since a local date and time of the API. */
export const daysSince = (dateTime: unknown, now = Date.now()): number =>
  Math.max(0, Math.floor((now - Date.parse(`${dateTime}Z`)) / DAY_MS));
