import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { ClientRegistry } from '../../clients/client.ts';
import { toMetadata } from '../client-metadata.ts';

/** The clients of the database for oidc-provider, which only reads them. */
export const createClientAdapter = (deps: {
  readonly clients: ClientRegistry;
  readonly hasPasswordGrant: boolean;
}): Adapter => ({
  async find(clientId) {
    const client = deps.clients.find(clientId);
    return client && (toMetadata(client, deps) as AdapterPayload);
  },
  async findByUid() {},
  async findByUserCode() {},
  upsert: refuse,
  consume: refuse,
  destroy: refuse,
  revokeByGrantId: refuse,
});

const refuse = async (): Promise<never> => {
  throw new Error('oidc-provider does not write clients');
};
