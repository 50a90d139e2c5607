import {
  choiceValue,
  defineSettings,
  type InsecureSetting,
  isLoopback,
  portValue,
  type SettingsOf,
  setting,
  textValue,
} from '@lintel/config';

/** `svc.mail.*`: the server that sends mail. */
export const mailSettings = defineSettings({
  host: setting('svc.mail.smtp-host', textValue().optional(), 'Host of the SMTP server; without it no mail is sent'),
  port: setting('svc.mail.smtp-port', portValue().default(587), 'Its port'),
  encryption: setting(
    'svc.mail.encryption',
    choiceValue(['starttls', 'tls', 'none']).default('starttls'),
    '`starttls` is required, not tried; `tls` encrypts the whole connection (port 465); `none` sends links in clear text',
  ),
  username: setting('svc.mail.username', textValue().optional(), 'Login at the server'),
  password: setting('svc.mail.password', textValue().optional(), 'Its password', { secret: true }),
  from: setting(
    'svc.mail.from',
    textValue().optional(),
    'Address that mail is from: `Acme <no-reply@acme.example>`; needed with `svc.mail.smtp-host`',
  ),
});

/** A mail server to which links and the password would travel in clear text. */
export const insecureMail = ({ host, encryption }: SettingsOf<typeof mailSettings>): readonly InsecureSetting[] =>
  host === undefined || encryption !== 'none' || isLoopback(host)
    ? []
    : [
        {
          insecurity: 'unencrypted-mail',
          problem: `svc.mail.encryption: links for new passwords would travel to ${host} in clear text; set it to starttls or tls`,
        },
      ];
