import { type DeviceProblem, filled } from '../texts/texts.ts';
import { errorText, escaped, noticePage, type Page, type PageContext, page, scopeList } from './pages.ts';

/** Path of the page for user codes. */
export const DEVICE_PATH = '/oauth2/device';

/** The form for the code of a device. */
export function deviceCodePage(
  context: PageContext,
  proof: string,
  { userCode = '', problem }: { readonly userCode?: string; readonly problem?: DeviceProblem } = {},
): Page {
  const texts = context.texts.device;
  const error = errorText(problem && texts.problems[problem]);
  const invalid = problem === undefined ? '' : ' aria-describedby="error"';
  const html = page(
    context,
    texts.title,
    `<p>${escaped(texts.intro)}</p>
${error}<form method="post" action="${DEVICE_PATH}">
<input type="hidden" name="xsrf" value="${escaped(proof)}">
<label for="user_code">${escaped(texts.code)}</label>
<input id="user_code" name="user_code" autocomplete="off" autocapitalize="characters" spellcheck="false" required autofocus value="${escaped(userCode)}"${invalid}>
<div class="buttons"><button>${escaped(texts.next)}</button></div>
</form>`,
  );
  return { status: statusOf(problem), html };
}

function statusOf(problem: DeviceProblem | undefined): number {
  if (problem === undefined) return 200;
  return problem === 'too-many' ? 429 : 400;
}

/** What the user decides about. */
export interface DeviceRequest {
  readonly client: string;
  readonly userCode: string;
  readonly scopes: readonly string[];
  /** `svc.authserver.scope` */
  readonly apiScope: string;
}

/** The page on which the user compares the code and connects the device, or refuses. */
export function confirmDevicePage(
  context: PageContext,
  proof: string,
  { client, userCode, scopes, apiScope }: DeviceRequest,
): Page {
  const texts = context.texts.device;
  const title = filled(texts.confirmTitle, { client });
  const html = page(
    context,
    title,
    `<p>${escaped(filled(texts.confirmIntro, { client }))}</p>
<p><strong>${escaped(userCode)}</strong></p>
<p>${escaped(filled(texts.confirmScopes, { client }))}</p>
${scopeList(context, scopes, apiScope)}
<p>${escaped(texts.confirmWarning)}</p>
<form method="post" action="${DEVICE_PATH}">
<input type="hidden" name="xsrf" value="${escaped(proof)}">
<input type="hidden" name="user_code" value="${escaped(userCode)}">
<div class="buttons">
<button name="confirm" value="yes">${escaped(texts.connect)}</button>
<button class="plain" name="abort" value="yes">${escaped(texts.refuse)}</button>
</div>
</form>`,
  );
  return { status: 200, html };
}

/** The last page: the device is connected. */
export function deviceDonePage(context: PageContext, client: string): Page {
  const { doneTitle, done } = context.texts.device;
  return noticePage(context, doneTitle, filled(done, { client }));
}
