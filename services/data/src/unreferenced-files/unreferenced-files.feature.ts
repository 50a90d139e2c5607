import { createPeriodicTask } from '@lintel/timing';
import type { FeatureFactory } from '../feature.ts';
import { receiveOperator } from '../operations/receive-operator.ts';
import { createFileReferences } from './create-file-references.ts';
import { sweepReleased } from './sweep-released.ts';
import { registerUnreferencedFilesRoutes } from './unreferenced-files.routes.ts';

const SWEEP_INTERVAL_MS = 3_600_000;

/** Files that nothing refers to: found, removed by operators, and those of deleted versions of reports by themselves. */
export const unreferencedFilesFeature: FeatureFactory = ({ ports, config, accessOf, requestDatabase }) => {
  const { storedFiles: files, database, applicationDatabase, logger, clock } = ports;
  if (files === undefined) return {};
  const { model } = ports.application;
  const isSplit = applicationDatabase !== undefined;
  const sweeping = createPeriodicTask(
    async () => {
      const references = createFileReferences({ model, database, isSplit });
      const removed = await sweepReleased({ database, files, references });
      if (removed > 0) logger.info({ removed }, 'files of deleted versions of reports removed');
    },
    SWEEP_INTERVAL_MS,
    (err) => logger.warn({ err }, 'Files of deleted versions of reports cannot be removed now'),
  );
  return {
    register({ rest }) {
      registerUnreferencedFilesRoutes(rest, {
        path: config.paths.operationsPath,
        guard: receiveOperator(accessOf),
        logger,
        files,
        references: createFileReferences({ model, database: requestDatabase, isSplit }),
        storedBefore: () => new Date(clock.now() - config.unreferencedFileAgeMs),
      });
    },
    start: () => sweeping.start(),
    close: () => sweeping.stop(),
  };
};
