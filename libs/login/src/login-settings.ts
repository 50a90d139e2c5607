import {
  booleanValue,
  defineSettings,
  durationMsValue,
  listValue,
  passwordSettings,
  type SettingsOf,
  setting,
} from '@lintel/config';
import { mailSettings } from '@lintel/mail';

/** `svc.auth.second-factor.*` */
const secondFactorSettings = {
  roles: setting(
    'svc.auth.second-factor.roles',
    listValue().default([]),
    'Resource roles whose users need a second factor; `*` is every user',
  ),
  afterProviderLogin: setting(
    'svc.auth.second-factor.after-provider-login',
    booleanValue().default(false),
    'Whether users who log in at an OpenID provider need the second factor of Lintel, too',
  ),
  passkeys: setting(
    'svc.auth.passkeys',
    booleanValue().default(false),
    'Whether users can set up passkeys (WebAuthn), as a second factor and to log in without a password',
  ),
};

/** `svc.auth.sign-up.*` */
const signUpSettings = defineSettings({
  isEnabled: setting(
    'svc.auth.sign-up.enabled',
    booleanValue().default(false),
    'Whether people create a user for themselves, confirmed by a mail (`svc.mail.*`)',
  ),
  domains: setting(
    'svc.auth.sign-up.domains',
    listValue().default([]),
    'Domains of e-mail addresses that are accepted; without it any',
  ),
  resourceRoles: setting('svc.auth.sign-up.resource-roles', listValue().default([]), 'Resource roles of new users'),
  rowLevelRoles: setting('svc.auth.sign-up.row-level-roles', listValue().default([]), 'Row-level roles of new users'),
});

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
