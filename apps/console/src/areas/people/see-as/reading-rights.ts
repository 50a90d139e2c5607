import type { Rights } from '@lintel/react';

const DOWNLOAD = 'rest.fileDownload.enabled';

/** The rights of a session for reading alone: the server refuses all others, so nothing else is offered. */
export const readingRights = (rights: Rights): Rights => ({
  ...rights,
  may: (entity, operation) => operation === 'read' && rights.may(entity, operation),
  mayModify: () => false,
  has: (specific) => specific === DOWNLOAD && rights.has(specific),
  hasAny: (specific) => specific === DOWNLOAD && rights.has(specific),
});
