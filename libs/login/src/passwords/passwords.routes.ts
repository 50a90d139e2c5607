import type { Router } from 'express';
import type { LoginConfig } from '../login-settings.ts';
import type { FormReceiver } from '../pages/receive-form.ts';
import { type ChangeRoutesDeps, PASSWORD_PATH, registerChangeRoutes } from './change.routes.ts';
import { type ChangeApiDeps, registerChangeApi } from './change-api.routes.ts';
import type { Passwords } from './create-passwords.ts';
import { createProvenForms } from './proven-forms.ts';
import { registerResetRoutes } from './reset.routes.ts';

type PasswordRoutesDeps = Omit<ChangeRoutesDeps & ChangeApiDeps, 'changes' | 'minLength' | 'provenForms'> & {
  readonly passwords: Passwords;
  readonly forms: FormReceiver;
};

/** Routes with which users change their passwords; none if passwords are switched off. */
export function registerPasswordRoutes(
  router: Router,
  config: LoginConfig,
  { passwords: { changes, resets, mailTexts }, ...deps }: PasswordRoutesDeps,
): void {
  if (!config.passwordLogin) return;
  const provenForms = createProvenForms(config, PASSWORD_PATH, deps.forms);
  if (resets !== undefined)
    registerResetRoutes(router, {
      ...config.passwords,
      resets,
      mailTexts,
      lifeMs: config.passwordResetLifeMs,
      host: new URL(config.platform.issuer).host,
      provenForms,
    });
  registerChangeRoutes(router, { ...deps, ...config.passwords, changes, provenForms });
  registerChangeApi(router, { ...deps, changes });
}
