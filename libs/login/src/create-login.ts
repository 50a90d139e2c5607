import type { Router } from 'express';
import { type DeviceRoutesDeps, registerDeviceRoutes } from './device.routes.ts';
import { goOn, type LoginProviders, type LoginRoutesDeps, registerLoginRoutes } from './login.routes.ts';
import type { LoginPorts } from './login-deps.ts';
import type { LoginConfig } from './login-settings.ts';
import { type LogoutRoutesDeps, registerLogoutRoutes } from './logout.routes.ts';
import type { ChangeApiDeps } from './passwords/change-api.routes.ts';
import { createPasswords, type Passwords, SIGN_UP_PATH } from './passwords/create-passwords.ts';
import { createPasswordStep } from './passwords/password-step.routes.ts';
import { registerPasswordRoutes } from './passwords/passwords.routes.ts';
import { type RequireChangeDeps, registerRequireChangeRoute } from './passwords/require-change.routes.ts';
import { FORGOT_PATH } from './passwords/reset.routes.ts';
import { createSecondFactors, type SecondFactors } from './second-factor/create-second-factors.ts';
import { createFactorAdministration } from './second-factor/factors/factor-administration.ts';
import { registerFactorRoutes } from './second-factor/factors.routes.ts';
import { registerSecurityRoutes } from './second-factor/security/security.routes.ts';
import { createPendingLogins } from './second-factor/step/pending-logins.ts';
import { createSecondFactorStep } from './second-factor/step/second-factor.routes.ts';
import { registerSignUp } from './sign-up/sign-up.routes.ts';

/** The OAuth server that the pages belong to. */
export interface LoginServer
  extends Pick<LoginRoutesDeps, 'interactions' | 'authorize' | 'forms'>,
    Omit<ChangeApiDeps, 'changes'> {
  readonly device: Omit<DeviceRoutesDeps, 'forms'>;
  readonly logout: Omit<LogoutRoutesDeps, 'forms'>;
  readonly providers: LoginProviders['all'];
}

/** Pages of logins, passwords and second factors. */
export interface Login {
  readonly passwords: Passwords;
  readonly secondFactors: SecondFactors;
  /** @returns what the pages of identity providers have in common with these */
  registerPages(router: Router, server: LoginServer): LoginRoutesDeps;
  /** Registers the routes of the internal listener with which administrators change passwords and factors of users. */
  registerAdministration(router: Router, endSessions: RequireChangeDeps['endSessions']): void;
}

/** @throws ConfigurationError if mails are needed and no server is configured, or a text of a mail has no link */
export function createLogin(config: LoginConfig, ports: LoginPorts): Login {
  const passwords = createPasswords(config, ports);
  const secondFactors = createSecondFactors(config, ports);
  const administration = createFactorAdministration({ ...ports, ...secondFactors });
  return {
    passwords,
    secondFactors,
    registerPages(router, { device, logout, providers, ...server }) {
      const { interactions, authorize, forms } = server;
      const { checkLogin, records } = ports;
      const pages: LoginRoutesDeps = {
        interactions,
        authorize,
        forms,
        checkLogin,
        records,
        secondFactor: createSecondFactorStep({
          ...ports,
          ...secondFactors,
          interactions,
          pending: createPendingLogins(ports.keyValues, secondFactors.cipher),
          goOn,
        }),
        passwordStep: createPasswordStep({ ...passwords, ...config.passwords }),
        apiScope: config.platform.apiScope,
        providers: {
          hasPasswords: config.passwordLogin,
          forgotPath: passwords.resets && FORGOT_PATH,
          signUpPath: passwords.signUps && SIGN_UP_PATH,
          all: providers,
        },
        secret: config.keyEncryptionSecret,
      };
      registerLoginRoutes(router, pages);
      registerSecurityRoutes(router, { ...ports, ...pages, ...secondFactors, administration });
      registerPasswordRoutes(router, config, { ...ports, ...server, ...secondFactors, passwords });
      registerSignUp(router, config, { passwords, forms });
      registerLogoutRoutes(router, { ...logout, forms });
      registerDeviceRoutes(router, { ...device, forms });
      return pages;
    },
    registerAdministration(router, endSessions) {
      registerFactorRoutes(router, administration);
      registerRequireChangeRoute(router, {
        ...ports,
        ...passwords,
        host: new URL(config.platform.issuer).host,
        lifeMs: config.passwordResetLifeMs,
        endSessions,
      });
    },
  };
}
