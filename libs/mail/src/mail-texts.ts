import { ConfigurationError } from '@lintel/config';
import { chooseLocale } from '@lintel/http';
import { formatMessage, type Messages } from '@lintel/metadata';

/** The texts of one language. */
export type MailText<Key extends string> = (key: Key, facts: Readonly<Record<string, string | number>>) => string;

const LINK = '{link}';

/**
 * Texts of mails in the language of `Accept-Language`, of which the first locale is the default; a messages file of the
 * application may have others.
 *
 * @param withLink texts of mails that are of no use without their link
 * @throws ConfigurationError for a text of the application without the link
 */
export function createMailTexts<Key extends string>(
  messages: Messages,
  locales: readonly string[],
  withLink: readonly Key[],
): (acceptLanguage: string | undefined) => MailText<Key> {
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
