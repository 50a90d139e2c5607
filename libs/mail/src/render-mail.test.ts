import { permanentFailure } from './create-mailer.ts';
import { parseMail } from './render-mail.ts';

const VALUES = {
  locale: 'de',
  message: (key: string, parameters: Readonly<Record<string, string | number>>, locale: string) =>
    `${key} ${JSON.stringify(parameters)} ${locale}`,
};

const render = async (subject: string, data = {}) =>
  (await (await parseMail({ templates: { en: { subject, text: 'x' } } })).render({ ...VALUES, data })).subject;

// Asserts contract/mail.md#declaration.
test('messages have the parameters of the filter and the locale of the texts', async () => {
  expect(await render(`{{ 'a/b' | message: count: n }}`, { n: 3 })).toBe('a/b {"count":3} en');
});

// Asserts contract/mail.md#declaration.
test.each(['{{ name.constructor.name }}', '{% include "/etc/passwd" %}', '{% render "other" %}', '{{ locale }}'])(
  '%s reaches nothing',
  async (template) => {
    await expect(render(template, { name: {} })).rejects.toThrow('en.subject: ');
  },
);

// Asserts contract/mail.md#attempts.
test('a value that is missing is an error, except in a condition', async () => {
  await expect(render('{{ name }}')).rejects.toThrow('en.subject: undefined variable: name, line:1, col:4');
  expect(await render('{% if name %}{{ name }}{% else %}none{% endif %}')).toBe('none');
});

// Asserts contract/mail.md#headers.
test('an address for further mails that is no URL is an error', async () => {
  const parsed = await parseMail({ templates: { en: { subject: 'a', text: 'b' } }, unsubscribe: '{{ url }}' });
  await expect(parsed.render({ ...VALUES, data: { url: 'https://a>, <b' } })).rejects.toThrow('unsubscribe: ');
});

// Asserts contract/mail.md#suppression.
test.each([
  [{ responseCode: 550, command: 'RCPT TO', response: '550 5.1.1 unknown' }, 'bounced'],
  [{ responseCode: 550, command: 'RCPT TO', response: '550 No such user' }, 'bounced'],
  [{ responseCode: 554, command: 'RCPT TO', response: '554 No' }, 'refused'],
  [{ responseCode: 550, command: 'RCPT TO', response: '550 5.7.1 Denied' }, 'refused'],
  [{ responseCode: 550, command: 'DATA', response: '550 5.1.1 spam' }, 'refused'],
  [{ responseCode: 550, command: 'MAIL FROM', response: '550 5.1.8 sender' }, undefined],
  [{ responseCode: 535, command: 'AUTH PLAIN', response: '535 5.7.8 No' }, undefined],
  [{ responseCode: 451, command: 'RCPT TO', response: '451 4.7.1 later' }, undefined],
  [new Error('connect ECONNREFUSED'), undefined],
])('%j is %s', (error, failure) => {
  expect(permanentFailure(error)).toBe(failure);
});
