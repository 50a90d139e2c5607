import { filled } from '../texts/texts.ts';
import { escaped, noticePage, type Page, type PageContext, page } from './pages.ts';

/** Paths of logout: the endpoint of OpenID Connect, the form of its page, and the last page. */
export const END_SESSION_PATH = '/oauth2/logout';

/** The page on which a user confirms a logout; a link of another site must not log the user out. */
export function logoutPage(context: PageContext, proof: string, client: string | undefined): Page {
  const texts = context.texts.logout;
  const html = page(
    context,
    texts.title,
    `<p>${escaped(client === undefined ? texts.intro : filled(texts.introOfClient, { client }))}</p>
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
export const loggedOutPage = (context: PageContext): Page =>
  noticePage(context, context.texts.logout.doneTitle, context.texts.logout.done);
