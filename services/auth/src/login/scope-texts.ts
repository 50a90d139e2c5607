/** What the standard scopes allow, as the consent page explains them; other scopes are named. */
type ScopeTexts = Readonly<Record<'openid' | 'profile' | 'email' | 'offline_access' | 'api', string>>;

const TEXTS: Readonly<Record<string, ScopeTexts>> = {
  en: {
    openid: 'see who you are',
    profile: 'see your name and language',
    email: 'see your e-mail address',
    offline_access: 'keep its access after you have logged out',
    api: 'read and change data with your rights',
  },
  de: {
    openid: 'sehen, wer Sie sind',
    profile: 'Ihren Namen und Ihre Sprache sehen',
    email: 'Ihre E-Mail-Adresse sehen',
    offline_access: 'den Zugriff behalten, nachdem Sie sich abgemeldet haben',
    api: 'Daten mit Ihren Rechten lesen und ändern',
  },
  'zh-CN': {
    openid: '查看您的身份',
    profile: '查看您的姓名和语言',
    email: '查看您的电子邮件地址',
    offline_access: '在您退出登录后保留访问权限',
    api: '以您的权限读取和修改数据',
  },
};

/**
 * The text for a scope; undefined for a scope of the application, which has only a name.
 *
 * @param apiScope `svc.authserver.scope`
 */
export function scopeText(language: string, scope: string, apiScope: string): string | undefined {
  const texts = TEXTS[language] ?? TEXTS['en'];
  return texts?.[(scope === apiScope ? 'api' : scope) as keyof ScopeTexts];
}
