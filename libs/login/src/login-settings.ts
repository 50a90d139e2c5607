import { durationMsValue, passwordSettings, type SettingsOf, setting } from '@lintel/config';
import { mailSettings } from '@lintel/mail';
import { signUpSettings } from './passwords/sign-up-settings.ts';
import { secondFactorSettings } from './second-factor/second-factor-settings.ts';

/** Settings of passwords, second factors and mails about them. */
export const loginSettings = {
  secondFactor: secondFactorSettings,
  passwords: passwordSettings,
  mail: mailSettings,
  signUp: signUpSettings,
  passwordResetLifeMs: setting(
    'svc.auth.password-reset-time-to-live',
    durationMsValue().default(30 * 60_000),
    'How long links in mails are valid, for a new password and for a new user (`svc.mail.*`)',
  ),
};

export type LoginConfig = SettingsOf<typeof loginSettings> & {
  /** `svc.auth.password-login` */
  readonly passwordLogin: boolean;
  readonly bruteForce: { readonly enabled: boolean };
  readonly availableLocales: readonly string[];
  /** Secret of all replicas, which signs the forms. */
  readonly keyEncryptionSecret: string;
  readonly platform: { readonly issuer: string; readonly apiScope: string };
};
