import { randomUUID } from 'node:crypto';
import { createFilesService, type FilesService, openFileStorages, settings } from '@lintel/files';
import type { Shared } from './open-shared.ts';
import type { StandaloneHost } from './standalone-host.ts';

/**
 * @param folder of files, where no storage is configured
 */
export async function startFiles(
  host: StandaloneHost,
  shared: Shared,
  folder: string,
): Promise<FilesService & { readonly internalUrl: string }> {
  const { currentRoles, verifier, loadSession } = shared;
  const { config, logger, metrics, clock } = await host.contextOf('files', settings);
  const storages = host.own(await openFileStorages(config, logger, folder));
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
      runMinorGc: () => {},
    },
    config,
  );
  await files.start();
  host.own(files);
  host.setProperty('svc.gateway.files-url', await host.serve(files.app, 'files'));
  const internalUrl = await host.serve(files.internalApp, 'files-internal');
  host.setProperty('svc.files.internal-url', internalUrl);
  return { ...files, internalUrl };
}
