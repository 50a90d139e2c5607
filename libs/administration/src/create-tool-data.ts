import type { ApplicationData } from '@lintel/application';
import type { Principal } from '@lintel/contracts';
import { createApplicationData, ENDLESS, type WriteDependencies } from '@lintel/entities';

/** The author in the audit attributes of instances that a tool writes. */
const TOOL: Principal = {
  username: 'system',
  kind: 'client',
  userId: null,
  clientId: 'lintel',
  sessionId: 'lintel',
  // For listeners that check specific permissions.
  resourceRoles: ['system-full-access'],
  rowLevelRoles: [],
  locale: null,
  attributes: {},
  actingService: undefined,
};

/** Reads and writes by the rules, listeners and events of an engine, but without a caller and the limits of one. */
export const createToolData = (write: WriteDependencies): ApplicationData =>
  createApplicationData(write, TOOL, new AbortController().signal, ENDLESS).unconstrained();
