import { renderSVG } from 'uqr';
import {
  DECISION_FIELD,
  errorText,
  escaped,
  type LoginForm,
  type Page,
  type PageContext,
  page,
} from '../../pages/pages.ts';
import { type FactorProblem, filled, type LoginTexts } from '../../texts/texts.ts';
import type { TotpOffer } from '../factors/own-factors.ts';

/** What the buttons of these pages send. */
export const FACTOR_DECISIONS = [
  'code',
  'enrol',
  'continue',
  'restart',
  'passkey',
  'enrol-passkey',
  'passkey-login',
] as const;
export type FactorDecision = (typeof FACTOR_DECISIONS)[number];

type Form = Pick<LoginForm, 'action' | 'proof' | 'passkey'>;

/** Path of the script of passkeys. */
export const PASSKEY_SCRIPT_PATH = '/as-login/passkeys.js';

/** What a page asks the browser of a user for. */
export interface PasskeyRequest {
  readonly kind: 'get' | 'create';
  readonly decision: FactorDecision;
  readonly options: object;
}

/** The form of a passkey, which the script shows in browsers that have passkeys. */
export function passkeyForm(context: PageContext, form: Form, { kind, decision, options }: PasskeyRequest): string {
  const { passkeys } = context.texts.factors;
  return `
<form method="post" action="${escaped(form.action)}" data-passkey="${kind}" data-options="${escaped(JSON.stringify(options))}" hidden>
<input type="hidden" name="proof" value="${escaped(form.proof)}">
<input type="hidden" name="${DECISION_FIELD}" value="${decision}">
<input type="hidden" name="credential">
<p class="error" role="alert" data-problem hidden>${escaped(passkeys.problem)}</p>
<div class="buttons other">
<button class="plain">${escaped(passkeys[decision === 'passkey-login' ? 'login' : kind])}</button>
</div>
</form>
<script defer src="${PASSKEY_SCRIPT_PATH}"></script>`;
}

const button = (decision: FactorDecision | 'deny', text: string, isPlain = false): string =>
  `<button${isPlain ? ' class="plain"' : ''} name="${DECISION_FIELD}" value="${decision}"${
    decision === 'code' || decision === 'enrol' ? '' : ' formnovalidate'
  }>${escaped(text)}</button>`;

const codeField = (
  label: string,
  problem: FactorProblem | undefined,
): string => `<label for="code">${escaped(label)}</label>
<input id="code" name="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" maxlength="40" required autofocus${
  problem === undefined ? '' : ' aria-invalid="true" aria-describedby="error"'
}>`;

const headOf = (form: Form): string => `<form method="post" action="${escaped(form.action)}">
<input type="hidden" name="proof" value="${escaped(form.proof)}">`;

function framed(context: PageContext, form: Form, title: string, intro: string, rest: string, problem?: FactorProblem) {
  const error = errorText(problem && context.texts.factors.problems[problem]);
  return page(
    context,
    title,
    `<p>${escaped(intro)}</p>
${error}${headOf(form)}
${rest}
</form>${form.passkey ?? ''}`,
  );
}

const statusOf = (problem: FactorProblem | undefined): number => {
  if (problem === undefined) return 200;
  return problem === 'locked' ? 429 : 401;
};

/** The form for a code of the app, or a recovery code, and the one of a passkey. */
export function codePage(
  context: PageContext,
  form: Form,
  { username, hasApp }: { readonly username: string; readonly hasApp: boolean },
  problem?: FactorProblem,
): Page {
  const texts = context.texts.factors;
  const rest = `${codeField(texts.code, problem)}
<div class="buttons">
${button('code', texts.confirm)}
${button('deny', context.texts.login.cancel, true)}
</div>`;
  const restart = `
${headOf(form)}
<div class="buttons other">
${button('restart', texts.restart, true)}
</div>
</form>`;
  const intro = filled(texts.intros[kindsOf(hasApp, form.passkey !== undefined)], { username });
  const others = { ...form, passkey: `${form.passkey ?? ''}${restart}` };
  return {
    status: statusOf(problem),
    html: framed(context, others, texts.title, intro, rest, problem),
    usesScript: form.passkey !== undefined,
  };
}

function kindsOf(hasApp: boolean, hasPasskey: boolean): keyof LoginTexts['factors']['intros'] {
  if (!hasPasskey) return 'app';
  return hasApp ? 'app-or-passkey' : 'passkey';
}

/** The image that an authenticator app scans. */
export const qrCode = (context: PageContext, uri: string): string =>
  renderSVG(uri, { ecc: 'M', border: 2 }).replace(
    '<svg ',
    `<svg class="qr" role="img" aria-label="${escaped(context.texts.factors.image)}" `,
  );

/** A key as people enter it. */
export const keyInGroups = (key: string): string => escaped((key.match(/.{1,4}/g) ?? []).join(' '));

/** Recovery codes, which are shown once. */
export const codeList = (codes: readonly string[]): string =>
  `<ul class="codes">${codes.map((code) => `<li><code>${escaped(code)}</code></li>`).join('')}</ul>`;

/** The form in which a user without a factor connects an authenticator app. */
export function enrolPage(context: PageContext, form: Form, offer: TotpOffer, problem?: FactorProblem): Page {
  const texts = context.texts.factors;
  const rest = `${qrCode(context, offer.uri)}
<p class="key"><strong>${escaped(texts.key)}:</strong> <code>${keyInGroups(offer.secret)}</code><br>
<a href="${escaped(offer.uri)}">${escaped(texts.openApp)}</a></p>
${codeField(texts.enrolCode, problem)}
<div class="buttons">
${button('enrol', texts.confirm)}
${button('deny', context.texts.login.cancel, true)}
</div>`;
  const html = framed(context, form, texts.enrolTitle, texts.enrolIntro, rest, problem);
  return { status: statusOf(problem), html, usesScript: form.passkey !== undefined };
}

/** The recovery codes, which are shown once. */
export function recoveryCodesPage(context: PageContext, form: Form, codes: readonly string[]): Page {
  const texts = context.texts.factors;
  const rest = `${codeList(codes)}
<div class="buttons">
${button('continue', texts.next)}
</div>`;
  return { status: 200, html: framed(context, form, texts.codesTitle, texts.codesIntro, rest) };
}
