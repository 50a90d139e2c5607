import type { Logger } from '@lintel/telemetry';

/** A security event: it is written at every level of the log. */
export const warnOfUnknownRole = (logger: Logger, role: string, effect: string): void =>
  logger.child({}, { everyLevel: true }).warn({ event: 'security.role.unknown', role }, effect);
