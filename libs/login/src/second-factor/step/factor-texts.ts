/** Texts of the pages on which a user confirms a login with a second factor, or sets one up. */
export interface FactorTexts {
  readonly title: string;
  readonly intros: Readonly<Record<FactorKinds, (username: string) => string>>;
  readonly code: string;
  readonly confirm: string;
  readonly restart: string;
  readonly enrolTitle: string;
  readonly enrolIntro: string;
  readonly image: string;
  readonly openApp: string;
  readonly key: string;
  readonly enrolCode: string;
  readonly codesTitle: string;
  readonly codesIntro: string;
  readonly next: string;
  readonly appName: string;
  readonly passkeys: Readonly<Record<'login' | 'get' | 'create' | 'problem' | 'name', string>>;
  readonly problems: Readonly<Record<FactorProblem, string>>;
}

/** The kinds of second factors that a user can confirm a login with; recovery codes go with all of them. */
export type FactorKinds = 'app' | 'passkey' | 'app-or-passkey';

/** Why a page is shown again. */
export type FactorProblem = 'wrong' | 'locked' | 'wrong-code' | 'wrong-passkey';

const en: FactorTexts = {
  title: 'Confirm your login',
  intros: {
    app: (username) => `${username}, enter the code of your authenticator app, or one of your recovery codes.`,
    passkey: (username) => `${username}, use your passkey, or enter one of your recovery codes.`,
    'app-or-passkey': (username) =>
      `${username}, use your passkey, or enter the code of your authenticator app or one of your recovery codes.`,
  },
  code: 'Code',
  confirm: 'Confirm',
  restart: 'Log in as another user',
  enrolTitle: 'Set up a second factor',
  enrolIntro:
    'This login needs a second factor. Scan the image with an authenticator app, or enter the key there. Then enter the code that the app shows.',
  image: 'QR code for the authenticator app',
  openApp: 'Open the app on this device',
  key: 'Key',
  enrolCode: 'Code of the app',
  codesTitle: 'Your recovery codes',
  codesIntro:
    'Each of these codes replaces the second factor once, for example if you lose your phone. Write them down now: they are not shown again.',
  next: 'Continue',
  appName: 'Authenticator app',
  passkeys: {
    login: 'Log in with a passkey',
    get: 'Use a passkey',
    create: 'Use a passkey instead',
    problem: 'The browser has no passkey for this, or it was not confirmed. Try again.',
    name: 'Passkey',
  },
  problems: {
    'wrong-passkey': 'The passkey was not accepted. Load the page again.',
    wrong: 'This code is wrong, or was used before. Wait for the next code of the app.',
    locked: 'Too many attempts. Try again later.',
    'wrong-code': 'This code does not belong to the key. Check the time of your device, and enter the current code.',
  },
};

const de: FactorTexts = {
  title: 'Anmeldung bestätigen',
  intros: {
    app: (username) =>
      `${username}, geben Sie den Code Ihrer Authenticator-App oder einen Ihrer Wiederherstellungscodes ein.`,
    passkey: (username) =>
      `${username}, verwenden Sie Ihren Passkey, oder geben Sie einen Ihrer Wiederherstellungscodes ein.`,
    'app-or-passkey': (username) =>
      `${username}, verwenden Sie Ihren Passkey, oder geben Sie den Code Ihrer Authenticator-App oder einen Ihrer Wiederherstellungscodes ein.`,
  },
  code: 'Code',
  confirm: 'Bestätigen',
  restart: 'Mit einem anderen Benutzer anmelden',
  enrolTitle: 'Zweiten Faktor einrichten',
  enrolIntro:
    'Diese Anmeldung braucht einen zweiten Faktor. Scannen Sie das Bild mit einer Authenticator-App, oder geben Sie dort den Schlüssel ein. Geben Sie dann den Code ein, den die App zeigt.',
  image: 'QR-Code für die Authenticator-App',
  openApp: 'App auf diesem Gerät öffnen',
  key: 'Schlüssel',
  enrolCode: 'Code der App',
  // With a soft hyphen: the word is wider than a phone.
  codesTitle: 'Ihre Wiederherstellungs\u00ADcodes',
  codesIntro:
    'Jeder dieser Codes ersetzt den zweiten Faktor einmal, zum Beispiel wenn Sie Ihr Telefon verlieren. Schreiben Sie die Codes jetzt auf: Sie werden nicht noch einmal gezeigt.',
  next: 'Weiter',
  appName: 'Authenticator-App',
  passkeys: {
    login: 'Mit einem Passkey anmelden',
    get: 'Passkey verwenden',
    create: 'Stattdessen einen Passkey verwenden',
    problem:
      'Der Browser hat keinen passenden Passkey, oder er wurde nicht bestätigt. Bitte versuchen Sie es noch einmal.',
    name: 'Passkey',
  },
  problems: {
    'wrong-passkey': 'Der Passkey wurde nicht angenommen. Laden Sie die Seite neu.',
    wrong: 'Dieser Code ist falsch oder wurde schon benutzt. Warten Sie auf den nächsten Code der App.',
    locked: 'Zu viele Versuche. Bitte versuchen Sie es später.',
    'wrong-code':
      'Dieser Code gehört nicht zu dem Schlüssel. Prüfen Sie die Uhrzeit Ihres Geräts, und geben Sie den aktuellen Code ein.',
  },
};

const zh: FactorTexts = {
  title: '确认登录',
  intros: {
    app: (username) => `${username}，请输入身份验证应用中的代码，或您的一个恢复代码。`,
    passkey: (username) => `${username}，请使用您的通行密钥，或输入您的一个恢复代码。`,
    'app-or-passkey': (username) => `${username}，请使用您的通行密钥，或输入身份验证应用中的代码或您的一个恢复代码。`,
  },
  code: '代码',
  confirm: '确认',
  restart: '使用其他用户登录',
  enrolTitle: '设置第二重验证',
  enrolIntro: '此登录需要第二重验证。请使用身份验证应用扫描图片，或在应用中输入密钥，然后输入应用显示的代码。',
  image: '用于身份验证应用的二维码',
  openApp: '在此设备上打开应用',
  key: '密钥',
  enrolCode: '应用中的代码',
  codesTitle: '您的恢复代码',
  codesIntro: '每个代码可以代替第二重验证使用一次，例如在手机丢失时。请立即记下这些代码，它们不会再次显示。',
  next: '继续',
  appName: '身份验证应用',
  passkeys: {
    login: '使用通行密钥登录',
    get: '使用通行密钥',
    create: '改用通行密钥',
    problem: '浏览器没有可用的通行密钥，或未得到确认。请重试。',
    name: '通行密钥',
  },
  problems: {
    'wrong-passkey': '通行密钥未被接受。请重新加载页面。',
    wrong: '此代码错误或已被使用。请等待应用显示下一个代码。',
    locked: '尝试次数过多，请稍后再试。',
    'wrong-code': '此代码与密钥不匹配。请检查设备的时间，并输入当前代码。',
  },
};

const TEXTS: Readonly<Record<string, FactorTexts>> = { en, de, 'zh-CN': zh };

/** The texts in a language of the login pages; English where there are none. */
export const factorTexts = (language: string): FactorTexts => TEXTS[language] ?? en;
