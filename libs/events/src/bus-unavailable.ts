import { PlatformError } from '@lintel/errors';

/** The broker did not accept an event; the publisher keeps it (the outbox does) and tries again. */
export const busUnavailable = (details: string, cause?: unknown): PlatformError =>
  new PlatformError('BUS_UNAVAILABLE', details, { cause });
