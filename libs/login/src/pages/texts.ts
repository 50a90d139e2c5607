import { chooseLocale } from '@lintel/http';
import type { LoginRefusal } from '../credentials/check-credentials.ts';

/** All texts for users: those of the login pages, and descriptions of refused logins at the token endpoints. */
export interface LoginTexts {
  readonly title: string;
  readonly intro: (client: string) => string;
  readonly username: string;
  readonly password: string;
  readonly submit: string;
  readonly forgotten: string;
  readonly signUp: string;
  readonly loginWith: (provider: string) => string;
  readonly cancel: string;
  readonly consentTitle: string;
  readonly consentIntro: (client: string, username: string) => string;
  /** Before a login of the browser is used for a client that the user has not used yet. */
  readonly continueTitle: string;
  readonly continueIntro: (client: string, username: string) => string;
  readonly continueButton: string;
  readonly allow: string;
  readonly deny: string;
  readonly expiredTitle: string;
  readonly expired: string;
  readonly failedTitle: string;
  readonly refusals: Readonly<Record<LoginRefusal, string>>;
  readonly providerRefusals: Readonly<Record<'provider-refused' | 'provider-unavailable' | 'passkey-refused', string>>;
  /** `error_description` of a password grant whose user needs a second factor. */
  readonly secondFactorRequired: string;
  /** The same of a password that must be changed first. */
  readonly passwordChangeRequired: string;
  /** `error_description` of a token endpoint; the English texts are those of contract/tokens.md#oauth-errors. */
  readonly descriptions: Readonly<Record<LoginRefusal, string>>;
}

const en: LoginTexts = {
  title: 'Log in',
  intro: (client) => `to continue to ${client}`,
  username: 'User name',
  password: 'Password',
  submit: 'Log in',
  forgotten: 'Forgot your password?',
  signUp: 'Create a user',
  loginWith: (provider) => `Log in with ${provider}`,
  providerRefusals: {
    'provider-refused': 'The login at the identity provider was refused.',
    'passkey-refused': 'This passkey cannot log in here. Use your password.',
    'provider-unavailable': 'The identity provider cannot be reached now. Try again later.',
  },
  cancel: 'Cancel',
  consentTitle: 'Allow access?',
  consentIntro: (client, username) => `${username}, ${client} asks for access in your name:`,
  continueTitle: 'Continue?',
  continueIntro: (client, username) => `You are logged in as ${username}. ${client} will act with your rights.`,
  continueButton: 'Continue',
  allow: 'Allow',
  deny: 'Deny',
  expiredTitle: 'This page has expired',
  expired: 'Go back to the application and log in from there again.',
  failedTitle: 'This request cannot be processed',
  refusals: {
    'bad-credentials': 'User name or password is wrong.',
    disabled: 'This user is disabled.',
    locked: 'Too many attempts. Try again later.',
    'too-many': 'Too many attempts. Try again later.',
  },
  secondFactorRequired: 'A second factor is needed: log in on the page',
  passwordChangeRequired: 'The password must be changed on the login page first',
  descriptions: {
    'bad-credentials': 'Bad credentials',
    disabled: 'User is disabled',
    locked: 'User account is locked',
    'too-many': 'Too many failed attempts',
  },
};

const de: LoginTexts = {
  title: 'Anmelden',
  intro: (client) => `weiter zu ${client}`,
  username: 'Benutzername',
  password: 'Passwort',
  submit: 'Anmelden',
  forgotten: 'Passwort vergessen?',
  signUp: 'Benutzer anlegen',
  loginWith: (provider) => `Mit ${provider} anmelden`,
  providerRefusals: {
    'provider-refused': 'Die Anmeldung beim Identitätsanbieter wurde abgelehnt.',
    'passkey-refused': 'Mit diesem Passkey ist hier keine Anmeldung möglich. Verwenden Sie Ihr Passwort.',
    'provider-unavailable': 'Der Identitätsanbieter ist zurzeit nicht erreichbar. Bitte versuchen Sie es später.',
  },
  cancel: 'Abbrechen',
  consentTitle: 'Zugriff erlauben?',
  consentIntro: (client, username) => `${username}, ${client} bittet um Zugriff in Ihrem Namen:`,
  continueTitle: 'Fortfahren?',
  continueIntro: (client, username) => `Sie sind als ${username} angemeldet. ${client} wird mit Ihren Rechten handeln.`,
  continueButton: 'Fortfahren',
  allow: 'Erlauben',
  deny: 'Ablehnen',
  expiredTitle: 'Diese Seite ist abgelaufen',
  expired: 'Gehen Sie zurück zur Anwendung und melden Sie sich dort erneut an.',
  failedTitle: 'Diese Anfrage kann nicht beantwortet werden',
  refusals: {
    'bad-credentials': 'Benutzername oder Passwort ist falsch.',
    disabled: 'Dieser Benutzer ist deaktiviert.',
    locked: 'Zu viele Versuche. Bitte versuchen Sie es später.',
    'too-many': 'Zu viele Versuche. Bitte versuchen Sie es später.',
  },
  secondFactorRequired: 'Ein zweiter Faktor ist nötig: melden Sie sich auf der Seite an',
  passwordChangeRequired: 'Das Passwort muss zuerst auf der Anmeldeseite geändert werden',
  descriptions: {
    'bad-credentials': 'Benutzername oder Passwort ist falsch',
    disabled: 'Der Benutzer ist deaktiviert',
    locked: 'Das Benutzerkonto ist gesperrt',
    'too-many': 'Zu viele fehlgeschlagene Versuche',
  },
};

const zh: LoginTexts = {
  title: '登录',
  intro: (client) => `以继续使用 ${client}`,
  username: '用户名',
  password: '密码',
  submit: '登录',
  forgotten: '忘记密码？',
  signUp: '创建用户',
  loginWith: (provider) => `使用 ${provider} 登录`,
  providerRefusals: {
    'provider-refused': '身份提供方拒绝了登录。',
    'passkey-refused': '此通行密钥无法在此登录。请使用您的密码。',
    'provider-unavailable': '暂时无法连接身份提供方，请稍后再试。',
  },
  cancel: '取消',
  consentTitle: '允许访问？',
  consentIntro: (client, username) => `${username}，${client} 请求以您的名义访问：`,
  continueTitle: '继续？',
  continueIntro: (client, username) => `您已以 ${username} 登录。${client} 将以您的权限进行操作。`,
  continueButton: '继续',
  allow: '允许',
  deny: '拒绝',
  expiredTitle: '此页面已过期',
  expired: '请返回应用程序并重新登录。',
  failedTitle: '无法处理此请求',
  refusals: {
    'bad-credentials': '用户名或密码错误。',
    disabled: '该用户已被停用。',
    locked: '尝试次数过多，请稍后再试。',
    'too-many': '尝试次数过多，请稍后再试。',
  },
  secondFactorRequired: '需要第二重验证：请在登录页面上登录',
  passwordChangeRequired: '必须先在登录页面更改密码',
  descriptions: {
    'bad-credentials': '用户名或密码错误',
    disabled: '该用户已被停用',
    locked: '该用户账户已被锁定',
    'too-many': '失败尝试次数过多',
  },
};

const TEXTS: Readonly<Record<string, LoginTexts>> = { en, de, zh_CN: zh };

/** Languages of the texts, the most common one first. */
export const TEXT_LOCALES: readonly string[] = Object.keys(TEXTS);

/** The locale of `Accept-Language` in underscore form, and its texts; English where there are none. */
export function loginTexts(acceptLanguage: string | undefined): {
  readonly locale: string;
  readonly texts: LoginTexts;
} {
  const locale = chooseLocale(acceptLanguage, null, TEXT_LOCALES);
  return { locale, texts: TEXTS[locale] ?? en };
}
