import type { FeatureFactory } from '../feature.ts';
import { registerFileAccessRoutes } from './file-access.routes.ts';
import { fileSearch } from './file-search.ts';

/** The right to read files by what refers to them. */
export const fileAccessFeature: FeatureFactory = ({ ports, read }) => {
  const deps = fileSearch(ports, read);
  return { register: ({ forwarded }) => registerFileAccessRoutes(forwarded, deps) };
};
