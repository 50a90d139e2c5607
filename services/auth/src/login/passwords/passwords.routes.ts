import type { Router } from 'express';
import type { RoutesDeps } from '../../startup/auth.routes.ts';
import type { LoginRoutesDeps } from '../login.routes.ts';
import { PASSWORD_PATH, registerChangeRoutes } from './change.routes.ts';
import { registerChangeApi } from './change-api.routes.ts';
import { createFormProof } from './receive-form-proof.ts';
import { registerResetRoutes } from './reset.routes.ts';

/** Routes with which users change their passwords; none if passwords are switched off. */
export function registerPasswordRoutes(
  router: Router,
  { ports, config, services, issuing }: RoutesDeps,
  { forms, proofs, interactions }: Pick<LoginRoutesDeps, 'forms' | 'proofs' | 'interactions'>,
): void {
  if (!config.passwordLogin) return;
  const { changes } = services.ownPasswords;
  const isSecure = config.platform.issuer.startsWith('https:');
  const proof = createFormProof({
    secret: config.keyEncryptionSecret,
    path: PASSWORD_PATH,
    isSecure,
  });
  if (services.ownPasswords.resets !== undefined)
    registerResetRoutes(router, {
      ...config.passwords,
      resets: services.ownPasswords.resets,
      mailTexts: services.ownPasswords.mailTexts,
      lifeMs: config.passwordResetLifeMs,
      host: new URL(config.platform.issuer).host,
      proof,
      forms,
    });
  registerChangeRoutes(router, {
    ...services.secondFactors,
    ...config.passwords,
    interactions,
    clock: ports.clock,
    changes,
    proof,
    forms,
  });
  registerChangeApi(router, { changes, tokens: issuing.tokens, sessions: ports.sessions, proofs });
}
