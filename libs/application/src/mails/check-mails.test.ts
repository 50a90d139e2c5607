import { mailProblems } from './check-mails.ts';
import { mail } from './mail.ts';

const TEXTS = { subject: 'a', text: 'b' };

// Asserts contract/mail.md#declaration.
test('mails with names and texts are valid', () => {
  expect(mailProblems([mail('a', { templates: { en: TEXTS, pt_BR: TEXTS } })])).toEqual([]);
});

// Asserts contract/mail.md#declaration.
test('names, locales and texts that are missing or wrong are named', () => {
  const one = mail('A b', { templates: {} });
  const two = mail('b', { templates: { English: TEXTS, de: { subject: ' ', text: 'b' } } });
  expect(mailProblems([one, two, two])).toEqual([
    'Mail A b: its name must be lower-case letters, digits and hyphens (at most 63), and begin with a letter',
    'Mail A b: templates: it needs the texts of one locale',
    'Mail b: templates: English is no locale, such as en or pt_BR',
    'Mail b: templates.de: it needs a subject and a text',
    'Mail b: another mail has this name',
    'Mail b: templates: English is no locale, such as en or pt_BR',
    'Mail b: templates.de: it needs a subject and a text',
  ]);
});
