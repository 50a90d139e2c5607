import { escaped, type Page, type PageContext, page } from './pages.ts';

interface LogoutTexts {
  readonly title: string;
  readonly intro: (client?: string) => string;
  readonly logOut: string;
  readonly stay: string;
  readonly doneTitle: string;
  readonly done: string;
}

const en: LogoutTexts = {
  title: 'Log out?',
  intro: (client) =>
    client === undefined
      ? 'You will be logged out of all applications in this browser.'
      : `${client} asks to log you out. You will be logged out of all applications in this browser.`,
  logOut: 'Log out',
  stay: 'Stay logged in',
  doneTitle: 'Logged out',
  done: 'You are logged out. You can close this page.',
};

const TEXTS: Readonly<Record<string, LogoutTexts>> = {
  en,
  de: {
    title: 'Abmelden?',
    intro: (client) =>
      client === undefined
        ? 'Sie werden von allen Anwendungen in diesem Browser abgemeldet.'
        : `${client} möchte Sie abmelden. Sie werden von allen Anwendungen in diesem Browser abgemeldet.`,
    logOut: 'Abmelden',
    stay: 'Angemeldet bleiben',
    doneTitle: 'Abgemeldet',
    done: 'Sie sind abgemeldet. Sie können diese Seite schließen.',
  },
  'zh-CN': {
    title: '退出登录？',
    intro: (client) =>
      client === undefined
        ? '您将退出此浏览器中的所有应用程序。'
        : `${client} 请求让您退出登录。您将退出此浏览器中的所有应用程序。`,
    logOut: '退出登录',
    stay: '保持登录',
    doneTitle: '已退出登录',
    done: '您已退出登录。您可以关闭此页面。',
  },
};

const textsOf = (language: string): LogoutTexts => TEXTS[language] ?? en;

/** Paths of logout: the endpoint of OpenID Connect, the form of its page, and the last page. */
export const END_SESSION_PATH = '/oauth2/logout';

/** The page on which a user confirms a logout; a link of another site must not log the user out. */
export function logoutPage(context: PageContext, proof: string, client: string | undefined): Page {
  const texts = textsOf(context.language);
  const html = page(
    context,
    texts.title,
    `<h1>${escaped(texts.title)}</h1>
<p>${escaped(texts.intro(client))}</p>
<form method="post" action="${END_SESSION_PATH}/confirm">
<input type="hidden" name="xsrf" value="${escaped(proof)}">
<div class="buttons">
<button name="logout" value="yes" autofocus>${escaped(texts.logOut)}</button>
<button class="plain">${escaped(texts.stay)}</button>
</div>
</form>`,
  );
  return { status: 200, html };
}

/** The last page of a logout without an address to return to. */
export function loggedOutPage(context: PageContext): Page {
  const texts = textsOf(context.language);
  const html = page(
    context,
    texts.doneTitle,
    `<h1>${escaped(texts.doneTitle)}</h1>\n<p role="status">${escaped(texts.done)}</p>`,
  );
  return { status: 200, html };
}
