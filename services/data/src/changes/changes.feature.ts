import type { FeatureFactory } from '../feature.ts';
import { registerChangeRoutes } from './feed/changes.routes.ts';
import { createChangeFeed } from './feed/create-change-feed.ts';

/** The change feed. */
export const changesFeature: FeatureFactory = ({ ports, config, read, accessOf }) => ({
  register: ({ rest }) => registerChangeRoutes(rest, createChangeFeed(ports, read, accessOf, config)),
});
