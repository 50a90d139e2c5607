export { createMailer, type Mail, type Mailer, type MailFile, permanentFailure } from './create-mailer.ts';
export { insecureMail, mailSettings } from './mail-settings.ts';
export { createMailTexts, type MailText } from './mail-texts.ts';
export { type MailTemplates, type ParsedMail, parseMail } from './render-mail.ts';
