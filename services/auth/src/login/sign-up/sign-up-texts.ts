/** Texts of the pages on which people create a user for themselves. */
export interface SignUpTexts {
  readonly title: string;
  readonly intro: string;
  readonly email: string;
  readonly sendLink: string;
  readonly sentTitle: string;
  readonly sent: (minutes: number) => string;
  readonly confirmTitle: string;
  readonly confirmIntro: (email: string) => string;
  readonly create: string;
  readonly createdTitle: string;
  readonly created: string;
  readonly mailSubject: (host: string) => string;
  readonly mailText: (facts: { readonly link: string; readonly host: string; readonly minutes: number }) => string;
  readonly existsText: (host: string) => string;
}

const en: SignUpTexts = {
  title: 'Create a user',
  intro: 'A link is sent to your e-mail address, which becomes your user name.',
  email: 'E-mail address',
  sendLink: 'Send link',
  sentTitle: 'Check your e-mail',
  sent: (minutes) =>
    `If the address can be used here, a mail has been sent to it. Its link is valid for ${minutes} minutes.`,
  confirmTitle: 'Choose a password',
  confirmIntro: (email) => `Your user name is ${email}.`,
  create: 'Create user',
  createdTitle: 'Your user is ready',
  created: 'Go back to the application and log in with your e-mail address and the password.',
  mailSubject: (host) => `Your user at ${host}`,
  mailText: ({ link, host, minutes }) =>
    `Somebody wants to create a user at ${host} with your e-mail address.\n\nOpen this link within ${minutes} minutes to choose a password:\n\n${link}\n\nIf it was not you, do nothing: no user is created.\n`,
  existsText: (host) =>
    `Somebody wants to create a user at ${host} with your e-mail address, but you have one.\n\nLog in with it. If you have forgotten the password, use the link on the login page.\n`,
};

const de: SignUpTexts = {
  title: 'Benutzer anlegen',
  intro: 'Ein Link wird an Ihre E-Mail-Adresse gesendet; sie wird Ihr Benutzername.',
  email: 'E-Mail-Adresse',
  sendLink: 'Link senden',
  sentTitle: 'Prüfen Sie Ihr Postfach',
  sent: (minutes) => `Wenn die Adresse hier möglich ist, wurde eine E-Mail gesendet. Ihr Link gilt ${minutes} Minuten.`,
  confirmTitle: 'Passwort wählen',
  confirmIntro: (email) => `Ihr Benutzername ist ${email}.`,
  create: 'Benutzer anlegen',
  createdTitle: 'Ihr Benutzer ist angelegt',
  created: 'Gehen Sie zurück zur Anwendung und melden Sie sich mit E-Mail-Adresse und Passwort an.',
  mailSubject: (host) => `Ihr Benutzer bei ${host}`,
  mailText: ({ link, host, minutes }) =>
    `Bei ${host} soll ein Benutzer mit Ihrer E-Mail-Adresse angelegt werden.\n\nÖffnen Sie innerhalb von ${minutes} Minuten diesen Link, um ein Passwort zu wählen:\n\n${link}\n\nWenn Sie das nicht waren, tun Sie nichts: es wird kein Benutzer angelegt.\n`,
  existsText: (host) =>
    `Bei ${host} soll ein Benutzer mit Ihrer E-Mail-Adresse angelegt werden, aber Sie haben schon einen.\n\nMelden Sie sich damit an. Wenn Sie das Passwort vergessen haben, verwenden Sie den Link auf der Anmeldeseite.\n`,
};

const zh: SignUpTexts = {
  title: '创建用户',
  intro: '链接将发送到您的电子邮件地址，该地址将成为您的用户名。',
  email: '电子邮件地址',
  sendLink: '发送链接',
  sentTitle: '请查看您的邮件',
  sent: (minutes) => `如果此地址可以在此使用，邮件已发送到该地址，链接有效期为 ${minutes} 分钟。`,
  confirmTitle: '设置密码',
  confirmIntro: (email) => `您的用户名是 ${email}。`,
  create: '创建用户',
  createdTitle: '您的用户已创建',
  created: '请返回应用程序，使用您的电子邮件地址和密码登录。',
  mailSubject: (host) => `您在 ${host} 的用户`,
  mailText: ({ link, host, minutes }) =>
    `有人希望使用您的电子邮件地址在 ${host} 创建用户。\n\n请在 ${minutes} 分钟内打开此链接设置密码：\n\n${link}\n\n如果不是您本人操作，请忽略此邮件：不会创建用户。\n`,
  existsText: (host) =>
    `有人希望使用您的电子邮件地址在 ${host} 创建用户，但您已有用户。\n\n请使用该用户登录。如果忘记了密码，请使用登录页面上的链接。\n`,
};

const TEXTS: Readonly<Record<string, SignUpTexts>> = { en, de, 'zh-CN': zh };

/** The texts in a language of the login pages; English where there are none. */
export const signUpTexts = (language: string): SignUpTexts => TEXTS[language] ?? en;
