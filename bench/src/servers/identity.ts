import type { Session } from '@lintel/contracts';

export const ISSUER = 'http://gateway.localhost';

/** The session of the caller: the user `admin` of the demo, who may do everything. */
export const sessionOf = (id: string): Session => ({
  id,
  username: 'admin',
  userId: null,
  clientId: 'client',
  kind: 'user',
  resourceRoles: ['system-full-access'],
  rowLevelRoles: [],
  locale: null,
  attributes: { firstName: 'Ada', lastName: 'Lindqvist' },
  createdAt: '2026-01-01T00:00:00Z',
});
