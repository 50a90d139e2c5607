/** Texts of the page on which users see and change their second factors. */
export interface SecurityTexts {
  readonly title: string;
  readonly intro: (username: string) => string;
  readonly none: string;
  readonly added: string;
  readonly used: string;
  readonly remove: (name: string) => string;
  readonly codesLeft: (amount: number) => string;
  readonly renewCodes: string;
  readonly addPasskey: string;
  readonly addApp: string;
  readonly appIntro: string;
  readonly name: string;
  readonly loginTitle: string;
  readonly login: string;
  readonly problems: Readonly<Record<SecurityProblem, string>>;
}

/** Why the page is shown again. */
export type SecurityProblem = 'wrong-code' | 'wrong-passkey' | 'too-many' | 'name';

const en: SecurityTexts = {
  title: 'Your second factors',
  intro: (username) => `These confirm the logins of ${username}.`,
  none: 'There are none.',
  added: 'Added',
  used: 'Last used',
  remove: (name) => `Remove ${name}`,
  codesLeft: (amount) => `Recovery codes that are left: ${amount}`,
  renewCodes: 'New recovery codes',
  addPasskey: 'Add a passkey',
  addApp: 'Add an authenticator app',
  appIntro: 'Scan the image with the app, or enter the key there. Then enter the code that the app shows.',
  name: 'Name',
  loginTitle: 'Log in again',
  login:
    'To change second factors you must have logged in within the last ten minutes. Log in at your application again, then open this page.',
  problems: {
    'wrong-code': 'This code does not belong to the key. Scan the new image, and enter the current code.',
    'wrong-passkey': 'The passkey was not accepted. Try again.',
    'too-many': 'There are too many second factors. Remove one first.',
    name: 'The name must have 1 to 100 characters.',
  },
};

const de: SecurityTexts = {
  title: 'Ihre zweiten Faktoren',
  intro: (username) => `Sie bestätigen die Anmeldungen von ${username}.`,
  none: 'Es gibt keine.',
  added: 'Hinzugefügt',
  used: 'Zuletzt benutzt',
  remove: (name) => `${name} entfernen`,
  codesLeft: (amount) => `Verbleibende Wiederherstellungscodes: ${amount}`,
  renewCodes: 'Neue Wiederherstellungscodes',
  addPasskey: 'Passkey hinzufügen',
  addApp: 'Authenticator-App hinzufügen',
  appIntro:
    'Scannen Sie das Bild mit der App, oder geben Sie dort den Schlüssel ein. Geben Sie dann den Code ein, den die App zeigt.',
  name: 'Name',
  loginTitle: 'Melden Sie sich erneut an',
  login:
    'Um zweite Faktoren zu ändern, müssen Sie sich in den letzten zehn Minuten angemeldet haben. Melden Sie sich an Ihrer Anwendung erneut an, und öffnen Sie dann diese Seite.',
  problems: {
    'wrong-code':
      'Dieser Code gehört nicht zu dem Schlüssel. Scannen Sie das neue Bild, und geben Sie den aktuellen Code ein.',
    'wrong-passkey': 'Der Passkey wurde nicht angenommen. Bitte versuchen Sie es noch einmal.',
    'too-many': 'Es gibt zu viele zweite Faktoren. Entfernen Sie zuerst einen.',
    name: 'Der Name muss 1 bis 100 Zeichen haben.',
  },
};

const zh: SecurityTexts = {
  title: '您的第二重验证',
  intro: (username) => `用于确认 ${username} 的登录。`,
  none: '尚未设置。',
  added: '添加时间',
  used: '最近使用',
  remove: (name) => `移除 ${name}`,
  codesLeft: (amount) => `剩余恢复代码：${amount}`,
  renewCodes: '生成新的恢复代码',
  addPasskey: '添加通行密钥',
  addApp: '添加身份验证应用',
  appIntro: '请使用应用扫描图片，或在应用中输入密钥，然后输入应用显示的代码。',
  name: '名称',
  loginTitle: '请重新登录',
  login: '要更改第二重验证，您必须在最近十分钟内登录过。请在应用程序中重新登录，然后打开此页面。',
  problems: {
    'wrong-code': '此代码与密钥不匹配。请扫描新的图片，并输入当前代码。',
    'wrong-passkey': '通行密钥未被接受。请重试。',
    'too-many': '第二重验证过多。请先移除一个。',
    name: '名称必须为 1 到 100 个字符。',
  },
};

const TEXTS: Readonly<Record<string, SecurityTexts>> = { en, de, 'zh-CN': zh };

/** The texts in a language of the login pages; English where there are none. */
export const securityTexts = (language: string): SecurityTexts => TEXTS[language] ?? en;
