import type { AppOffer, SecondFactors } from '@lintel/contracts';
import {
  DECISION_FIELD,
  errorText,
  escaped,
  noticePage,
  type Page,
  type PageContext,
  page,
} from '../../pages/pages.ts';
import { filled, type SecurityProblem } from '../../texts/texts.ts';
import { codeList, keyInGroups, PASSKEY_SCRIPT_PATH, qrCode } from '../step/factor-pages.ts';

/** Path of the page. */
export const SECURITY_PATH = '/as-login/security';

/** What the page shows of a user. */
export interface SecurityView extends SecondFactors {
  readonly username: string;
  /** Proves that a form was loaded with this page. */
  readonly proof: string;
  readonly offer: AppOffer;
  /** Undefined if users cannot have passkeys. */
  readonly passkey: { readonly options: object; readonly nonce: string } | undefined;
  readonly problem?: SecurityProblem | undefined;
}

const button = (decision: string, text: string): string =>
  `<div class="buttons"><button class="plain" name="${DECISION_FIELD}" value="${decision}">${escaped(text)}</button></div>`;

const dayOf = (time: string): string => escaped(time.slice(0, 10));

/** Lists the factors of a user, with forms to add and remove some. */
export function securityPage(context: PageContext, view: SecurityView): Page {
  const texts = context.texts.security;
  const { problem } = view;
  const headOf = (attributes = '') =>
    `<form method="post" action="${SECURITY_PATH}"${attributes}>\n<input type="hidden" name="proof" value="${escaped(view.proof)}">`;
  const factorHead = headOf(' class="factor"');
  const error = errorText(problem && texts.problems[problem]);
  const factors = view.factors.map(
    ({ id, name, createdAt, lastUsedAt }) => `${factorHead}
<input type="hidden" name="id" value="${escaped(id)}">
<p><strong>${escaped(name)}</strong><br>${escaped(texts.added)}: ${dayOf(createdAt)}${
      lastUsedAt === null ? '' : ` · ${escaped(texts.used)}: ${dayOf(lastUsedAt)}`
    }</p>
${button('remove', filled(texts.remove, { name }))}
</form>`,
  );
  const codes =
    factors.length === 0
      ? `<p>${escaped(texts.none)}</p>`
      : `${factorHead}\n<p>${escaped(filled(texts.codesLeft, { amount: view.recoveryCodes }))}</p>\n${button('renew-codes', texts.renewCodes)}\n</form>`;
  const parts = [...factors, codes, passkeyForm(context, view), appForm(context, view, headOf())];
  const html = page(
    context,
    texts.title,
    `<p>${escaped(filled(texts.intro, { username: view.username }))}</p>
${error}${parts.join('\n')}`,
  );
  return { status: problem === undefined ? 200 : 400, html, usesScript: view.passkey !== undefined };
}

const nameField = (context: PageContext, id: string, value: string): string =>
  `<label for="${id}">${escaped(context.texts.security.name)}</label>
<input id="${id}" name="name" maxlength="100" required value="${escaped(value)}">`;

function passkeyForm(context: PageContext, { passkey, proof }: SecurityView): string {
  if (passkey === undefined) return '';
  const texts = context.texts.security;
  const { passkeys } = context.texts.factors;
  return `<form method="post" action="${SECURITY_PATH}" data-passkey="create" data-options="${escaped(JSON.stringify(passkey.options))}" hidden>
<h2>${escaped(texts.addPasskey)}</h2>
<input type="hidden" name="proof" value="${escaped(proof)}">
<input type="hidden" name="${DECISION_FIELD}" value="add-passkey">
<input type="hidden" name="nonce" value="${escaped(passkey.nonce)}">
<input type="hidden" name="credential">
<p class="error" role="alert" data-problem hidden>${escaped(passkeys.problem)}</p>
${nameField(context, 'passkey-name', passkeys.name)}
<div class="buttons"><button>${escaped(texts.addPasskey)}</button></div>
</form>
<script defer src="${PASSKEY_SCRIPT_PATH}"></script>`;
}

function appForm(context: PageContext, { offer }: SecurityView, head: string): string {
  const texts = context.texts.security;
  const factor = context.texts.factors;
  return `${head}
<h2>${escaped(texts.addApp)}</h2>
<p>${escaped(texts.appIntro)}</p>
<input type="hidden" name="offer" value="${escaped(offer.offer)}">
${qrCode(context, offer.uri)}
<p><strong>${escaped(factor.key)}:</strong> <code>${keyInGroups(offer.key)}</code></p>
<label for="code">${escaped(factor.enrolCode)}</label>
<input id="code" name="code" autocomplete="one-time-code" maxlength="40" required>
${nameField(context, 'app-name', factor.appName)}
<div class="buttons"><button name="${DECISION_FIELD}" value="add-app">${escaped(texts.addApp)}</button></div>
</form>`;
}

/** For browsers without a login that is new enough. */
export const loginAgainPage = (context: PageContext): Page =>
  noticePage(context, context.texts.security.loginTitle, context.texts.security.login, 401);

/** New recovery codes, which are shown once. */
export function newCodesPage(context: PageContext, codes: readonly string[]): Page {
  const texts = context.texts.factors;
  const html = page(
    context,
    texts.codesTitle,
    `<p>${escaped(texts.codesIntro)}</p>
${codeList(codes)}
<form method="get" action="${SECURITY_PATH}"><div class="buttons"><button>${escaped(texts.next)}</button></div></form>`,
  );
  return { status: 200, html };
}
