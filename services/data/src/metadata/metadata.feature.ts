import type { FeatureFactory } from '../feature.ts';
import { createMetadataSource } from './create-metadata-source.ts';
import { registerMetadataRoutes } from './metadata.routes.ts';

/** The metadata of the model. */
export const metadataFeature: FeatureFactory = ({ config, modelSource, read, defaultLocale }) => {
  const { metadata, cache } = createMetadataSource(modelSource.current, read.currentMessages);
  return {
    register: ({ rest }) => registerMetadataRoutes(rest, { path: config.paths.metadataPath, metadata, defaultLocale }),
    caches: [cache],
  };
};
