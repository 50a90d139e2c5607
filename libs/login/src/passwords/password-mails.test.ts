import { defineApplication } from '@lintel/application';
import { createMessages, type MessageBundle } from '@lintel/metadata';
import { createPasswordMails } from './create-passwords.ts';

const { messages: platform } = defineApplication({ id: 't', name: 'T', entities: [] });
const FACTS = { host: 'acme.example', minutes: 30, link: 'https://acme.example/x?token={a}' };
const textsWith = (...bundles: readonly MessageBundle[]) =>
  createPasswordMails(createMessages(...platform.layers, bundles), ['en', 'fr']);
const RESET = 'lintel.mail.passwordReset.text';

test.each([
  ['en', 'A new password for acme.example', 'Open this link within 30 minutes'],
  ['de-AT', 'Ein neues Passwort für acme.example', 'innerhalb von 30 Minuten'],
  ['zh-CN', 'acme.example 的新密码', '30 分钟'],
  ['nl', 'A new password for acme.example', 'Open this link'],
])('the platform has texts in %s', (language, subject, part) => {
  const text = textsWith()(language);
  expect(text('lintel.mail.passwordReset.subject', FACTS)).toBe(subject);
  expect(text(RESET, FACTS)).toContain(part);
  expect(text(RESET, FACTS)).toContain(`\n\n${FACTS.link}\n\n`);
  for (const key of ['subject', 'text', 'existsText'] as const)
    expect(text(`lintel.mail.signUp.${key}`, FACTS)).toContain('acme.example');
});

// Asserts contract/tokens.md#forgotten-password.
test('texts of the application replace them, in the languages that it has', () => {
  const texts = textsWith(
    { locale: 'fr', texts: { [RESET]: 'Bonjour ! {link} ({minutes, plural, one {# minute} other {# minutes}})' } },
    { locale: 'de', texts: { 'lintel.mail.passwordReset.subject': 'Acme: Passwort' } },
  );
  expect(texts('fr-CA')(RESET, FACTS)).toBe(`Bonjour ! ${FACTS.link} (30 minutes)`);
  expect(texts('de')('lintel.mail.passwordReset.subject', FACTS)).toBe('Acme: Passwort');
  expect(texts('de')(RESET, FACTS)).toContain('innerhalb von 30 Minuten');
  expect(texts('en')(RESET, FACTS)).toContain('Open this link');
});

// Asserts contract/tokens.md#forgotten-password.
test('a text of the application without the link is refused', () => {
  const wrong = {
    [RESET]: 'Bonjour',
    'lintel.mail.signUp.text': 'Bonjour',
    'lintel.mail.signUp.existsText': 'Bonjour',
  };
  expect(() => textsWith({ locale: 'fr', texts: wrong }, { locale: '', texts: { [RESET]: '' } })).toThrow(
    expect.objectContaining({
      problems: [
        'messages_fr.properties: lintel.mail.passwordReset.text must have {link}',
        'messages_fr.properties: lintel.mail.signUp.text must have {link}',
        'messages.properties: lintel.mail.passwordReset.text must have {link}',
      ],
    }),
  );
});
