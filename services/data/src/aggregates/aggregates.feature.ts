import type { FeatureFactory } from '../feature.ts';
import { registerAggregateRoutes } from './aggregates.routes.ts';

/** Groups of instances with aggregates. */
export const aggregatesFeature: FeatureFactory = ({ config, read, requestDatabase }) => ({
  register: ({ rest }) =>
    registerAggregateRoutes(rest, { ...read, database: requestDatabase, unknownMembers: config.unknownMembers }),
});
