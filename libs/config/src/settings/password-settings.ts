import { defineSettings } from '../declaring/define-settings.ts';
import { setting } from '../declaring/setting.ts';
import { booleanValue, integerValue, listValue } from '../declaring/values.ts';

/** The rules for new passwords, for the services that set passwords. */
export const passwordSettings = defineSettings({
  minLength: setting(
    'svc.security.password-min-length',
    integerValue({ min: 1, max: 128 }).default(8),
    'Minimum length of a new password of a user, in characters; stored passwords stay valid',
  ),
  refusesCommon: setting(
    'svc.security.password-blocklist',
    booleanValue().default(true),
    'Whether one of 21,000 common passwords, a repetition or a sequence is refused as a new password',
  ),
  historySize: setting(
    'svc.security.password-history',
    integerValue({ min: 0, max: 24 }).default(0),
    'How many former passwords a user must not choose again, besides the current one',
  ),
  firstLoginChange: setting(
    'svc.security.password-change-at-first-login',
    booleanValue().default(false),
    'Whether users who have not chosen their password themselves choose a new one at the next login',
  ),
  words: setting(
    'svc.security.password-forbidden-words',
    listValue().default([]),
    'Words, such as the name of the company, that a new password must not consist of',
  ),
});
