import { ANONYMOUS_SESSION_ID, anonymousSession } from './build-session.ts';

describe('the anonymous session', () => {
  test('is the same for every replica, with or without a user of that name', () => {
    expect(ANONYMOUS_SESSION_ID).toMatch(/^[0-9A-F]{32}$/);
    expect(anonymousSession(undefined, { resourceRoles: ['r'], rowLevelRoles: [] }, 0)).toEqual({
      id: ANONYMOUS_SESSION_ID,
      username: 'anonymous',
      userId: null,
      clientId: 'anonymous',
      kind: 'anonymous',
      resourceRoles: ['r'],
      rowLevelRoles: [],
      locale: null,
      attributes: {},
      createdAt: '1970-01-01T00:00:00.000Z',
    });
  });
});
