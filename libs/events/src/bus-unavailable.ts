import { PlatformError } from '@lintel/errors';

/** The broker did not take an event; whoever published keeps it (the outbox does) and tries again. */
export const busUnavailable = (details: string, cause?: unknown): PlatformError =>
  new PlatformError('BUS_UNAVAILABLE', details, { cause });
