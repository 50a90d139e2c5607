import { ConfigurationError } from '@lintel/config';
import type { AuthConfig } from '../config.ts';
import type { BasicCredentials, Client, ClientEntry, ClientRegistry, StoredEntries } from './client.ts';
import { keyFinderOf } from './client-keys.ts';
import { createSecretCheck } from './client-secret.ts';
import type { ClientSettings } from './client-settings.ts';
import { type ClientDefaults, problemsOf, toClient, usesSecret } from './define-client.ts';

type RegistryConfig = ClientDefaults & Pick<AuthConfig, 'clients'>;

const NO_STORED_CLIENTS: StoredEntries = { find: () => undefined, all: () => [] };

/**
 * The clients of the settings `svc.authserver.client.<name>.*`, and those of the database whose id is none of them.
 *
 * @throws ConfigurationError naming every contradiction
 */
export function createClientRegistry(config: RegistryConfig, stored = NO_STORED_CLIENTS): ClientRegistry {
  const problems: string[] = [];
  const configured = new Map<string, ClientEntry>();
  const entryOf = (clientId: string): ClientEntry | undefined => configured.get(clientId) ?? stored.find(clientId);
  for (const [name, settings] of Object.entries(config.clients)) {
    const client = toClient(settings, config);
    const secret = settings['client-secret'];
    problems.push(...configuredProblems(name, client, settings));
    if (configured.has(client.clientId))
      problems.push(`svc.authserver.client.${name}.client-id: ${client.clientId} is the id of another client`);
    configured.set(client.clientId, {
      client,
      ...(secret !== undefined && { isSecret: createSecretCheck(secret) }),
      ...(settings.jwks !== undefined && { keys: keyFinderOf(settings.jwks) }),
    });
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  return {
    async authenticate(
      { clientId, clientSecret }: BasicCredentials,
      method = 'client_secret_basic',
      hashing = (work) => work(),
    ) {
      // RFC 6749 §2.3.1 requires form encoding of both parts; many clients send them without it.
      for (const [id, secret] of readings(clientId, clientSecret)) {
        const entry = entryOf(id);
        if (entry?.isSecret === undefined || !entry.client.authenticationMethods.has(method)) continue;
        if (await entry.isSecret(secret, hashing)) return entry.client;
      }
      return undefined;
    },
    findPublic(clientId) {
      const client = entryOf(clientId)?.client;
      return client?.isPublic === true ? client : undefined;
    },
    keysOf: (clientId) => entryOf(clientId)?.keys,
    idMeantBy: (clientId) => readings(clientId, '').find(([id]) => entryOf(id) !== undefined)?.[0] ?? clientId,
    find: (clientId) => entryOf(clientId)?.client,
    isConfigured: (clientId) => configured.has(clientId),
    configured: () => [...configured.values()].map(({ client }) => client),
    all: () => [
      ...[...configured.values()].map(({ client }) => client),
      ...stored.all().filter(({ clientId }) => !configured.has(clientId)),
    ],
  };
}

function configuredProblems(name: string, client: Client, settings: ClientSettings): readonly string[] {
  const missing =
    !client.isPublic && settings['client-secret'] === undefined && usesSecret(client)
      ? ['client-secret is missing; client-authentication-methods=none makes it a public client']
      : [];
  return [...missing, ...problemsOf(client, settings, (setting) => setting)].map(
    (problem) => `svc.authserver.client.${name}: ${problem}`,
  );
}

function readings(clientId: string, clientSecret: string): readonly (readonly [string, string])[] {
  const plain = [clientId, clientSecret] as const;
  if (!/[%+]/.test(clientId + clientSecret)) return [plain];
  try {
    const decode = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));
    return [plain, [decode(clientId), decode(clientSecret)]];
  } catch {
    return [plain];
  }
}
