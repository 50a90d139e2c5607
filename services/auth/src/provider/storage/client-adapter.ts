import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { ClientRegistry } from '../../clients/client.ts';
import { toMetadata } from '../client-metadata.ts';

/** The clients of the database for oidc-provider, which only reads them. */
export class ClientAdapter implements Adapter {
  readonly #deps: { readonly clients: ClientRegistry; readonly hasPasswordGrant: boolean };

  constructor(deps: { readonly clients: ClientRegistry; readonly hasPasswordGrant: boolean }) {
    this.#deps = deps;
  }

  async find(clientId: string): Promise<AdapterPayload | undefined> {
    const client = this.#deps.clients.find(clientId);
    return client === undefined ? undefined : (toMetadata(client, this.#deps) as AdapterPayload);
  }

  async findByUid(): Promise<undefined> {}
  async findByUserCode(): Promise<undefined> {}
  upsert = refuse;
  consume = refuse;
  destroy = refuse;
  revokeByGrantId = refuse;
}

const refuse = async (): Promise<never> => {
  throw new Error('oidc-provider does not write clients');
};
