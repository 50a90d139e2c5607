import type { ParseOptions } from '@lintel/query';
import type { ReadLimits } from '../read-dependencies.ts';

/** How the requests of clients are parsed: conditions of application code, reports and webhooks are never left out. */
export const clientOptions = (limits: ReadLimits): ParseOptions =>
  limits.skipsEmptyConditions === true ? { ...limits, skipsEmptyValues: true } : limits;
