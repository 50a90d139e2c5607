import { ConfigurationError } from '@lintel/config';
import { chooseLocale } from '@lintel/http';
import { formatMessage, type Messages } from '@lintel/metadata';

/** The texts of one language. */
export type MailText<Key extends string> = (key: Key, facts: Readonly<Record<string, string | number>>) => string;

/** Which texts the mails of a feature have. */
export interface MailTextSettings<Key extends string> {
  readonly messages: Messages;
  /** Languages that are chosen from; the first one is the default. */
  readonly locales: readonly string[];
  /** A mail with one of these texts is of no use without its link. */
  readonly withLink: readonly Key[];
}

const LINK = '{link}';

/**
 * Texts of mails in the language of `Accept-Language`; a messages file of the application may have others.
 *
 * @throws ConfigurationError for a text of the application without the link
 */
export function createMailTexts<Key extends string>({
  messages,
  locales,
  withLink,
}: MailTextSettings<Key>): (acceptLanguage: string | undefined) => MailText<Key> {
  const problems = messages.layers
    .flat()
    .flatMap(({ locale, texts }) =>
      withLink
        .filter((key) => texts[key]?.includes(LINK) === false)
        .map((key) => `messages${locale === '' ? '' : `_${locale}`}.properties: ${key} must have ${LINK}`),
    );
  if (problems.length > 0) throw new ConfigurationError(problems);
  return (acceptLanguage) => {
    const locale = chooseLocale(acceptLanguage, null, locales);
    return (key, facts) => formatMessage(messages.find(key, locale) ?? key, facts, locale);
  };
}
