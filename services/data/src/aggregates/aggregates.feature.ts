import type { FeatureFactory } from '../feature.ts';
import { registerAggregateRoutes } from './aggregates.routes.ts';

/** Groups of instances with aggregates. */
export const aggregatesFeature: FeatureFactory = ({ ports, config, read }) => ({
  register: ({ rest }) =>
    registerAggregateRoutes(rest, {
      ...read,
      resultMemory: ports.resultMemory,
      unknownMembers: config.unknownMembers,
    }),
});
