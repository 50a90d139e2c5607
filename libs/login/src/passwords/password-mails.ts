import { createMailTexts } from '@lintel/mail';
import type { Messages } from '@lintel/metadata';
import { TEXT_LOCALES } from '../texts/texts.ts';

type MailKey =
  | `lintel.mail.${'passwordReset' | 'invitation' | 'signUp'}.${'subject' | 'text'}`
  | 'lintel.mail.signUp.existsText';

/** @throws ConfigurationError for a text of the application without the link */
export const createPasswordMails = (messages: Messages, availableLocales: readonly string[]) =>
  createMailTexts<MailKey>(
    messages,
    [...new Set([...TEXT_LOCALES, ...availableLocales])],
    ['lintel.mail.passwordReset.text', 'lintel.mail.invitation.text', 'lintel.mail.signUp.text'],
  );
