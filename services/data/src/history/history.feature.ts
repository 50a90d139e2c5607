import type { FeatureFactory } from '../feature.ts';
import { registerHistoryRoutes } from './history.routes.ts';
import { startPartitions } from './make-partitions.ts';

/** Recorded changes of instances. */
export const historyFeature: FeatureFactory = ({ ports, read, accessOf, requestDatabase }) => {
  const partitions = startPartitions(ports.database, ports.logger);
  return {
    register: ({ rest }) => registerHistoryRoutes(rest, { read, accessOf, database: requestDatabase }),
    start: () => partitions.start(),
    close: () => partitions.close(),
  };
};
