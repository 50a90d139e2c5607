import type { FeatureFactory } from '../feature.ts';
import { registerUserInfoRoutes } from './user-info.routes.ts';

/** The data of the caller. */
export const userInfoFeature: FeatureFactory = ({ config, defaultLocale }) => ({
  register: ({ rest }) => registerUserInfoRoutes(rest, { path: config.paths.userInfoPath, defaultLocale }),
});
