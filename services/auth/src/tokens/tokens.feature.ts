import type { FeatureFactory } from '../feature.ts';
import { registerResourceMetadata } from './discovery/resource-metadata.routes.ts';
import { registerTokenLogout } from './introspection/logout.routes.ts';
import { registerUserInfo } from './introspection/userinfo.routes.ts';
import { receiveProof } from './proofs/receive-proof.ts';
import { registerTokenRoutes } from './token.routes.ts';

/** Endpoints of OAuth and OpenID Connect that clients call. */
export const tokensFeature: FeatureFactory<
  | 'ports'
  | 'config'
  | 'accounts'
  | 'authentication'
  | 'forms'
  | 'isFirstUse'
  | 'isHardened'
  | 'proofs'
  | 'security'
  | 'sessions'
  | 'loginSessions'
  | 'tokens'
  | 'server'
  | 'federation'
> = ({ ports, config, accounts, authentication, forms, isFirstUse, server, federation, ...parts }) => {
  const { issuer, apiScope } = config.platform;
  const { clock, sessions } = ports;
  return {
    register({ open }) {
      registerTokenRoutes(open, {
        ...parts,
        authentication,
        forms,
        clock,
        issuer,
        loadSession: (id) => sessions.load(id),
        thumbprintOf: (request) => receiveProof(request, { issuer, isFirstUse, clock }),
        issue: (...given) => server().issue(...given),
        authorizeDevice: (...given) => server().authorizeDevice(...given),
      });
      registerTokenLogout(open, { ...parts, endExternal: federation.endExternal });
      registerUserInfo(open, { ...parts, accounts, sessions });
      registerResourceMetadata(open, { ...parts, issuer, apiScope });
      open.get(['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'], (...given) =>
        server().discover(...given),
      );
    },
  };
};
