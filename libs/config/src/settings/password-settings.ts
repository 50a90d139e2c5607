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
    'Whether a new password is refused that is one of 21,000 common ones, one repetition or one sequence',
  ),
  historySize: setting(
    'svc.security.password-history',
    integerValue({ min: 0, max: 24 }).default(0),
    'How many former passwords a user must not choose again; the current one is always refused',
  ),
  firstLoginChange: setting(
    'svc.security.password-change-at-first-login',
    booleanValue().default(false),
    'Whether users choose a new password on the login page if they have not chosen the current one themselves, but for example an administrator has',
  ),
  words: setting(
    'svc.security.password-forbidden-words',
    listValue().default([]),
    'Words that a new password must not consist of, with up to four other characters, such as the name of the company; the name of the application and the names and e-mail address of the user are always refused',
  ),
});
