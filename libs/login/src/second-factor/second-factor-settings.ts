import { booleanValue, listValue, setting } from '@lintel/config';

/** `svc.auth.second-factor.*` */
export const secondFactorSettings = {
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
