/** What the standard scopes allow, as the consent page explains them; other scopes are named. */
type ScopeTexts = Readonly<Record<'openid' | 'profile' | 'email' | 'offline_access' | 'api', string>>;

const TEXTS: Readonly<Record<string, ScopeTexts>> = {
  en: {
    openid: 'see who you are',
    profile: 'see your name and language',
    email: 'see your e-mail address',
    offline_access: 'keep its access while you are not using it, until you log out',
    api: 'read and change data with your rights',
  },
  de: {
    openid: 'sehen, wer Sie sind',
    profile: 'Ihren Namen und Ihre Sprache sehen',
    email: 'Ihre E-Mail-Adresse sehen',
    offline_access: 'den Zugriff behalten, auch wenn Sie es nicht benutzen, bis Sie sich abmelden',
    api: 'Daten mit Ihren Rechten lesen und ändern',
  },
  'zh-CN': {
    openid: '查看您的身份',
    profile: '查看您的姓名和语言',
    email: '查看您的电子邮件地址',
    offline_access: '在您未使用它时保留访问权限，直到您退出登录',
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
