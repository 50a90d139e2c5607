import { randomUUID } from 'node:crypto';
import {
  createFilesService,
  createHttpFileAccess,
  type FileAccess,
  type FilesService,
  openFileStorages,
  settings,
} from '@lintel/files';
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
  let opened: Promise<FileAccess> | undefined;
  // The data service starts later: its address is known at the first download.
  const openAccess = async (): Promise<FileAccess> =>
    host.own(createHttpFileAccess({ ...(await host.configurationOf(settings)).config, clock, metrics }));
  const files = createFilesService(
    {
      fileAccess: {
        async mayRead(key, reader) {
          opened ??= openAccess();
          return (await opened).mayRead(key, reader);
        },
      },
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
