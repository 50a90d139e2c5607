import type { Router } from 'express';
import type { LoginConfig } from '../login-settings.ts';
import { type ChangeRoutesDeps, PASSWORD_PATH, registerChangeRoutes } from './change.routes.ts';
import { type ChangeApiDeps, registerChangeApi } from './change-api.routes.ts';
import type { Passwords } from './create-passwords.ts';
import { createFormProof } from './receive-form-proof.ts';
import { registerResetRoutes } from './reset.routes.ts';

type PasswordRoutesDeps = Omit<ChangeRoutesDeps & ChangeApiDeps, 'changes' | 'minLength' | 'proof'> & {
  readonly passwords: Passwords;
};

/** Routes with which users change their passwords; none if passwords are switched off. */
export function registerPasswordRoutes(
  router: Router,
  config: LoginConfig,
  { passwords: { changes, resets, mailTexts }, ...deps }: PasswordRoutesDeps,
): void {
  if (!config.passwordLogin) return;
  const { issuer } = config.platform;
  const proof = createFormProof({
    secret: config.keyEncryptionSecret,
    path: PASSWORD_PATH,
    isSecure: issuer.startsWith('https:'),
  });
  if (resets !== undefined)
    registerResetRoutes(router, {
      ...deps,
      ...config.passwords,
      resets,
      mailTexts,
      lifeMs: config.passwordResetLifeMs,
      host: new URL(issuer).host,
      proof,
    });
  registerChangeRoutes(router, { ...deps, ...config.passwords, changes, proof });
  registerChangeApi(router, { ...deps, changes });
}
