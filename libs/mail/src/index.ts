export { createMailer, isOneAddress, type Mailer } from './create-mailer.ts';
export { insecureMail, mailSettings } from './mail-settings.ts';
export { createMailTexts, type MailText } from './mail-texts.ts';
