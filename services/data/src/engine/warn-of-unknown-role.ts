import type { Logger } from '@lintel/telemetry';

/** A security event: it is written whatever the level of the log is. */
export const warnOfUnknownRole = (logger: Logger, role: string, effect: string): void =>
  logger.child({}, { everyLevel: true }).warn({ event: 'security.role.unknown', role }, effect);
