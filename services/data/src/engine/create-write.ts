import { reportListeners, roleListeners } from '@lintel/administration';
import type { EntityListener } from '@lintel/application';
import { followsReferences } from '@lintel/config';
import { createListenerData, createWriteDependencies, type WriteDependencies } from '@lintel/entities';
import { createPasswordPolicy } from '@lintel/passwords';
import { createIdempotencyStore } from '@lintel/persistence';
import { createReadYourWrites, type ReadDependencies } from '@lintel/reading';
import { fileSearch } from '../file-access/file-search.ts';
import { createUnreadableFiles } from '../file-access/unreadable-files.ts';
import type { EngineBase } from './create-engine.ts';

/** The dependencies of writing. */
export function createWrite(
  { ports, config, accessOf, delegation, requestDatabase, modelSource }: EngineBase,
  options: {
    readonly read: ReadDependencies;
    /** Further listeners of the platform. */
    readonly listeners: readonly EntityListener[];
    /** Called with the names of the changed entities, and waited for. */
    readonly onCommitted: (entities: readonly string[]) => Promise<void> | undefined;
  },
): WriteDependencies {
  const { application, database, replicas } = ports;
  const { read, onCommitted } = options;
  const { securityProfile, issuer } = config.platform;
  const { basePath, docsPath } = config.paths;
  const { storedFiles } = ports;
  return createWriteDependencies({
    application,
    currentRoles: ports.currentRoles,
    database: requestDatabase,
    read,
    accessOf,
    clock: ports.clock,
    ids: ports.ids,
    hashPassword: ports.hashPassword,
    platformListeners: [
      ...roleListeners(application),
      ...reportListeners(application),
      ...modelSource.listeners,
      ...options.listeners,
    ],
    dataFor: createListenerData(read),
    onCommitted,
    readYourWrites: replicas && createReadYourWrites({ ...replicas, primary: database }),
    idempotency: createIdempotencyStore(database, { retentionMs: config.idempotencyRetentionMs }),
    retries: config.retries,
    logger: ports.logger,
    optimisticLockingEnabled: config.optimisticLockingEnabled,
    responseFetchPlanEnabled: config.responseFetchPlanEnabled,
    readPoliciesBindWrites: securityProfile === 'hardened',
    unreadableFiles:
      storedFiles && followsReferences(config)
        ? createUnreadableFiles(storedFiles, fileSearch(ports, read))
        : undefined,
    passwordPolicy: createPasswordPolicy({
      ...config.passwords,
      words: [application.id, application.name, ...config.passwords.words],
    }),
    delegation,
    maxBodyBytes: config.maxBodyBytes,
    eventSchemas: `${issuer}${basePath}${docsPath}/asyncapi.json#/components/schemas/`,
  });
}
