/** Texts of the pages on which users choose a password. */
export interface PasswordTexts {
  readonly title: string;
  readonly intro: string;
  readonly requiredIntro: string;
  readonly current: string;
  readonly next: string;
  readonly repeated: string;
  readonly rules: (minLength: number) => string;
  readonly code: string;
  readonly change: string;
  readonly doneTitle: string;
  readonly done: string;
  readonly problems: Readonly<Record<PasswordProblem, string>>;
  readonly forgotTitle: string;
  readonly forgotIntro: string;
  readonly name: string;
  readonly sendLink: string;
  readonly sentTitle: string;
  readonly sent: (minutes: number) => string;
  readonly resetTitle: string;
  readonly resetIntro: string;
  readonly expiredTitle: string;
  readonly expired: string;
  readonly newLink: string;
}

/** Why a page is shown again, besides a refused login. */
export type PasswordProblem =
  | 'mismatch'
  | 'too-short'
  | 'too-long'
  | 'common'
  | 'predictable'
  | 'personal'
  | 'used-before'
  | 'elsewhere'
  | 'code-missing'
  | 'wrong-code'
  | 'limited';

const en: PasswordTexts = {
  title: 'Change your password',
  intro: 'Your other logins end with the change.',
  requiredIntro: 'Choose a password of your own before you go on.',
  current: 'Current password',
  next: 'New password',
  repeated: 'New password again',
  rules: (minLength) => `At least ${minLength} characters; several words are a good password.`,
  code: 'Code of your authenticator app, or a recovery code',
  change: 'Change password',
  doneTitle: 'Your password has changed',
  done: 'Log in with the new password from now on.',
  problems: {
    mismatch: 'The new passwords are not the same.',
    'too-short': 'The new password is too short.',
    'too-long': 'The new password is too long: 255 characters are possible.',
    common: 'The new password is a common one. Choose another one.',
    predictable: 'The new password is one repetition or sequence. Choose another one.',
    personal: 'The new password is almost a name of yours or of the application. Choose another one.',
    'used-before': 'You have used this password before. Choose another one.',
    elsewhere: 'Change your password where your organisation manages it.',
    'code-missing': 'Enter the code of your second factor, too.',
    'wrong-code': 'This code is wrong or has been used.',
    limited: 'Too many attempts. Try again later.',
  },
  forgotTitle: 'Forgot your password?',
  forgotIntro: 'A link for a new password is sent to your e-mail address.',
  name: 'User name or e-mail address',
  sendLink: 'Send link',
  sentTitle: 'Check your e-mail',
  sent: (minutes) =>
    `If there is a user with an e-mail address, a link has been sent to it. It is valid for ${minutes} minutes.`,
  resetTitle: 'Choose a new password',
  resetIntro: 'All your logins end with the change.',
  expiredTitle: 'This link has expired',
  expired: 'It is valid once and for a short time.',
  newLink: 'Request another link',
};

const de: PasswordTexts = {
  title: 'Passwort ändern',
  intro: 'Ihre anderen Anmeldungen enden mit der Änderung.',
  requiredIntro: 'Wählen Sie ein eigenes Passwort, bevor es weitergeht.',
  current: 'Bisheriges Passwort',
  next: 'Neues Passwort',
  repeated: 'Neues Passwort noch einmal',
  rules: (minLength) => `Mindestens ${minLength} Zeichen; mehrere Wörter sind ein gutes Passwort.`,
  code: 'Code Ihrer Authentifizierungs-App oder ein Wiederherstellungscode',
  change: 'Passwort ändern',
  doneTitle: 'Ihr Passwort ist geändert',
  done: 'Melden Sie sich von jetzt an mit dem neuen Passwort an.',
  problems: {
    mismatch: 'Die neuen Passwörter sind nicht gleich.',
    'too-short': 'Das neue Passwort ist zu kurz.',
    'too-long': 'Das neue Passwort ist zu lang: 255 Zeichen sind möglich.',
    common: 'Das neue Passwort gehört zu den häufigsten. Bitte wählen Sie ein anderes.',
    predictable: 'Das neue Passwort ist nur eine Wiederholung oder Reihenfolge. Bitte wählen Sie ein anderes.',
    personal: 'Das neue Passwort ist fast Ihr Name oder der der Anwendung. Bitte wählen Sie ein anderes.',
    'used-before': 'Dieses Passwort hatten Sie schon. Bitte wählen Sie ein anderes.',
    elsewhere: 'Ändern Sie Ihr Passwort dort, wo Ihre Organisation es verwaltet.',
    'code-missing': 'Geben Sie auch den Code Ihres zweiten Faktors ein.',
    'wrong-code': 'Dieser Code ist falsch oder schon verwendet.',
    limited: 'Zu viele Versuche. Bitte versuchen Sie es später.',
  },
  forgotTitle: 'Passwort vergessen?',
  forgotIntro: 'Ein Link für ein neues Passwort wird an Ihre E-Mail-Adresse gesendet.',
  name: 'Benutzername oder E-Mail-Adresse',
  sendLink: 'Link senden',
  sentTitle: 'Prüfen Sie Ihr Postfach',
  sent: (minutes) =>
    `Wenn es einen Benutzer mit E-Mail-Adresse gibt, wurde ein Link an sie gesendet. Er gilt ${minutes} Minuten.`,
  resetTitle: 'Neues Passwort wählen',
  resetIntro: 'Alle Ihre Anmeldungen enden mit der Änderung.',
  expiredTitle: 'Dieser Link ist abgelaufen',
  expired: 'Er gilt einmal und für kurze Zeit.',
  newLink: 'Einen anderen Link anfordern',
};

const zh: PasswordTexts = {
  title: '更改密码',
  intro: '更改后，您的其他登录将会结束。',
  requiredIntro: '继续之前，请设置您自己的密码。',
  current: '当前密码',
  next: '新密码',
  repeated: '再次输入新密码',
  rules: (minLength) => `至少 ${minLength} 个字符；由多个词组成的密码较好。`,
  code: '身份验证应用的代码或恢复代码',
  change: '更改密码',
  doneTitle: '密码已更改',
  done: '从现在起请使用新密码登录。',
  problems: {
    mismatch: '两次输入的新密码不一致。',
    'too-short': '新密码过短。',
    'too-long': '新密码过长：最多 255 个字符。',
    common: '新密码是常用密码，请选择其他密码。',
    predictable: '新密码只是重复或连续的字符，请选择其他密码。',
    personal: '新密码与您或应用程序的名称几乎相同，请选择其他密码。',
    'used-before': '您以前使用过此密码，请选择其他密码。',
    elsewhere: '请在您的组织管理密码的地方更改密码。',
    'code-missing': '请同时输入第二重验证的代码。',
    'wrong-code': '此代码错误或已被使用。',
    limited: '尝试次数过多，请稍后再试。',
  },
  forgotTitle: '忘记密码？',
  forgotIntro: '设置新密码的链接将发送到您的电子邮件地址。',
  name: '用户名或电子邮件地址',
  sendLink: '发送链接',
  sentTitle: '请查看您的邮件',
  sent: (minutes) => `如果存在带有电子邮件地址的用户，链接已发送到该地址，有效期为 ${minutes} 分钟。`,
  resetTitle: '设置新密码',
  resetIntro: '更改后，您的所有登录将会结束。',
  expiredTitle: '此链接已过期',
  expired: '链接只能使用一次，且有效时间很短。',
  newLink: '重新申请链接',
};

const TEXTS: Readonly<Record<string, PasswordTexts>> = { en, de, 'zh-CN': zh };

/** The texts in a language of the login pages; English where there are none. */
export const passwordTexts = (language: string): PasswordTexts => TEXTS[language] ?? en;
