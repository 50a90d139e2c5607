import { booleanValue, defineSettings, listValue, setting } from '@lintel/config';

/** `svc.auth.sign-up.*` */
export const signUpSettings = defineSettings({
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
