import { loginTexts } from '../../texts/texts.ts';
import { codePage } from './factor-pages.ts';

const context = { texts: loginTexts('en').texts, language: 'en' };
const form = { action: '/as-login?interaction=1', proof: 'proof' };
const PASSKEY = '<form data-passkey="get"></form>';

test.each([
  ['app', true, undefined, 'ada, enter the code of your authenticator app, or one of your recovery codes.'],
  ['passkey', false, PASSKEY, 'ada, use your passkey, or enter one of your recovery codes.'],
  [
    'app and a passkey',
    true,
    PASSKEY,
    'ada, use your passkey, or enter the code of your authenticator app or one of your recovery codes.',
  ],
])('a user with an %s reads what confirms the login', (_kinds, hasApp, passkey, text) => {
  const { html } = codePage(context, passkey === undefined ? form : { ...form, passkey }, { username: 'ada', hasApp });
  expect(html).toContain(`<p>${text}</p>`);
});

test('another user is offered last', () => {
  const { html } = codePage(context, { ...form, passkey: PASSKEY }, { username: 'ada', hasApp: true });
  expect(html.indexOf('value="restart"')).toBeGreaterThan(html.indexOf(PASSKEY));
});
