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
};

const TEXTS: Readonly<Record<string, SignUpTexts>> = { en, de, 'zh-CN': zh };

/** The texts in a language of the login pages; English where there are none. */
export const signUpTexts = (language: string): SignUpTexts => TEXTS[language] ?? en;
