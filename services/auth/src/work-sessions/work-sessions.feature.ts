import { workSessionRequestSchema } from '@lintel/contracts';
import type { FeatureFactory } from '../feature.ts';
import { respondInternal } from '../respond-internal.ts';
import { beginWorkSession } from './begin-work-session.ts';

/** Sessions in which services work for users who make no request. */
export const workSessionsFeature: FeatureFactory<'accounts' | 'sessions' | 'signer' | 'ports' | 'config'> = ({
  ports,
  config,
  ...parts
}) => ({
  register({ internal }) {
    const deps = { ...parts, clock: ports.clock, apiScope: config.platform.apiScope };
    respondInternal(internal, '/work-sessions/begin', workSessionRequestSchema, (user) => beginWorkSession(user, deps));
  },
});
