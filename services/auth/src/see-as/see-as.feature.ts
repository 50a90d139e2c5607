import type { FeatureFactory } from '../feature.ts';
import { registerSeeAsRoutes } from './see-as.routes.ts';

/** Sessions in which administrators see what a user sees. */
export const seeAsFeature: FeatureFactory<'seeAs'> = ({ seeAs }) => ({
  register: ({ internal }) => registerSeeAsRoutes(internal, seeAs),
});
