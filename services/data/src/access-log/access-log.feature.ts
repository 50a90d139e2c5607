import type { FeatureFactory } from '../feature.ts';
import { registerAccessLogRoute } from './access-log.routes.ts';

/** Who has read which instances. The last feature to be closed: others read until their end. */
export const accessLogFeature: FeatureFactory = ({ read, accessOf, requestDatabase, accessLog }) => ({
  register: ({ rest }) => registerAccessLogRoute(rest, { read, accessOf, database: requestDatabase }),
  close: async () => accessLog?.close(),
});
