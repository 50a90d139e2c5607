import { randomUUID } from 'node:crypto';
import { createFilesService, type FilesService, openFileStorages, settings } from '@lintel/files';
import type { Shared } from './open-shared.ts';
import type { StandaloneHost } from './standalone-host.ts';

/**
 * @param folder of files, where no storage is configured
 */
export async function startFiles(host: StandaloneHost, shared: Shared, folder: string): Promise<FilesService> {
  const { metrics, clock } = host;
  const { currentRoles, verifier, loadSession } = shared;
  const { config } = await host.configurationOf(settings);
  const logger = host.loggerOf('files');
  const storages = await openFileStorages(config, logger, folder);
  host.onClose(() => storages.close());
  const files = createFilesService(
    {
      currentRoles,
      storages,
      verifier,
      loadSession,
      logger,
      metrics,
      clock,
      newId: randomUUID,
      collectYoung: () => {},
    },
    config,
  );
  await files.start();
  host.onClose(() => files.close());
  host.settle('svc.gateway.files-url', await host.serve(files.app, 'files'));
  host.settle('svc.files.internal-url', await host.serve(files.internalApp, 'files-internal'));
  return files;
}
