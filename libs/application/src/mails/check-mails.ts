import type { MailDefinition, MailOptions } from './mail.ts';

const NAME = /^[a-z][a-z0-9-]{0,62}$/;
const LOCALE = /^[a-z]{2,3}(_[A-Za-z0-9]{2,8})*$/;

/** Problems of the declared mails: one sentence each. The data service parses the templates. */
export const mailProblems = (mails: readonly MailDefinition[]): readonly string[] =>
  mails.flatMap(({ name, options }, at) =>
    [
      ...(NAME.test(name)
        ? []
        : ['its name must be lower-case letters, digits and hyphens (at most 63), and begin with a letter']),
      ...(mails.slice(0, at).some((earlier) => earlier.name === name) ? ['another mail has this name'] : []),
      ...optionProblems(options),
    ].map((text) => `Mail ${name}: ${text}`),
  );

function optionProblems({ templates }: MailOptions): readonly string[] {
  const locales = Object.entries(templates);
  if (locales.length === 0) return ['templates: it needs the texts of one locale'];
  return locales.flatMap(([locale, { subject, text }]) => [
    ...(LOCALE.test(locale) ? [] : [`templates: ${locale} is no locale, such as en or pt_BR`]),
    ...(subject.trim() === '' || text.trim() === '' ? [`templates.${locale}: it needs a subject and a text`] : []),
  ]);
}
