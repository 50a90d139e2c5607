import { ConfigurationError } from '@lintel/config';
import { chooseLocale } from '@lintel/http';
import { formatMessage, type Messages } from '@lintel/metadata';
import { TEXT_LOCALES } from '../texts.ts';

/** Keys of the texts of mails; a messages file of the application may have others for them. */
export type MailKey =
  | `lintel.mail.${'passwordReset' | 'signUp'}.${'subject' | 'text'}`
  | 'lintel.mail.signUp.existsText';

/** What texts of mails may name. */
export interface MailFacts {
  readonly host: string;
  readonly minutes: number;
  readonly link?: string;
}

/** The texts of one language. */
export type MailText = (key: MailKey, facts: MailFacts) => string;

/** A mail with one of these texts is of no use without its link. */
const WITH_LINK: readonly MailKey[] = ['lintel.mail.passwordReset.text', 'lintel.mail.signUp.text'];
const LINK = '{link}';

/**
 * Texts of mails in the language of `Accept-Language`: one of the application, or of the pages.
 *
 * @throws ConfigurationError for a text of the application without the link
 */
export function createMailTexts(
  messages: Messages,
  availableLocales: readonly string[],
): (acceptLanguage: string | undefined) => MailText {
  const problems = messages.layers
    .flat()
    .flatMap(({ locale, texts }) =>
      WITH_LINK.filter((key) => texts[key]?.includes(LINK) === false).map(
        (key) => `messages${locale === '' ? '' : `_${locale}`}.properties: ${key} must have ${LINK}`,
      ),
    );
  if (problems.length > 0) throw new ConfigurationError(problems);
  const locales = [...new Set([...TEXT_LOCALES, ...availableLocales])];
  return (acceptLanguage) => {
    const locale = chooseLocale(acceptLanguage, null, locales);
    return (key, facts) => formatMessage(messages.find(key, locale) ?? key, { ...facts }, locale);
  };
}
