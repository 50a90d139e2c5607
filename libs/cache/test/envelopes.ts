import type { Envelope } from '@lintel/contracts';

/** An event about a user. */
export const userChanged = (username: string): Envelope => ({
  specversion: '1.0',
  id: `event-${username}`,
  source: '/lintel/data',
  type: 'data.user.changed.v1',
  subject: username,
  time: '2026-11-21T10:00:00Z',
  datacontenttype: 'application/json',
  data: { username, change: 'updated' },
});
