import { createUserAttributeReader } from '@lintel/application';
import type { DataPorts } from '../ports.ts';

/** The ports with sessions that have the attributes that the application adds to the users. */
export function withUserAttributes(ports: DataPorts): DataPorts {
  if (ports.application.userAttributes === undefined) return ports;
  const read = createUserAttributeReader(ports.application);
  return {
    ...ports,
    async loadSession(id) {
      const session = await ports.loadSession(id);
      // Callers that are no entity have no attributes at all.
      if (session === undefined || session.userId === null) return session;
      return { ...session, attributes: { ...session.attributes, ...read(session.userColumns ?? NO_COLUMNS) } };
    },
  };
}

const NO_COLUMNS = Object.freeze({});
