import { createHash } from 'node:crypto';
import { filled, type LoginTexts } from '../texts/texts.ts';

/** A complete page. */
export interface Page {
  readonly status: number;
  readonly html: string;
  /** Whether it loads the script of passkeys. */
  readonly usesScript?: boolean;
}

/** The context that all pages need. */
export interface PageContext {
  readonly texts: LoginTexts;
  /** Language tag, e.g. `zh-CN`. */
  readonly language: string;
}

const STYLE = `:root{color-scheme:light dark}
*{box-sizing:border-box}
body{margin:0;padding:1rem 0;min-height:100vh;display:grid;place-items:center;font:16px/1.5 system-ui,sans-serif;background:#f3f4f6;color:#111827}
main{width:min(24rem,calc(100vw - 2rem));padding:2rem;background:#fff;border:1px solid #d1d5db;border-radius:.75rem;overflow-wrap:break-word}
h1{margin:0;font-size:1.5rem}
h2{margin:1.5rem 0 .5rem;font-size:1.125rem}
p{margin:.25rem 0 1.5rem;overflow-wrap:anywhere}
main>p:last-child{margin-bottom:0}
label{display:block;margin:0 0 .25rem;font-weight:600}
input{width:100%;margin:0 0 1rem;padding:.625rem .75rem;font:inherit;color:inherit;background:transparent;border:1px solid #6b7280;border-radius:.375rem}
input[readonly]{padding-left:0;border-color:transparent}
.hint{margin:-.5rem 0 1rem;font-size:.875rem}
ul{margin:0 0 1.5rem;padding:0 0 0 1.25rem}
.buttons{display:flex;gap:.75rem;flex-direction:row-reverse}
button{flex:1;padding:.625rem .75rem;font:inherit;font-weight:600;border:1px solid #1d4ed8;border-radius:.375rem;background:#1d4ed8;color:#fff;cursor:pointer}
a.provider{display:block;margin:.75rem 0 0;padding:.625rem .75rem;border:1px solid #6b7280;border-radius:.375rem;color:inherit;font-weight:600;text-align:center;text-decoration:none;overflow-wrap:anywhere}
button.plain{background:transparent;color:inherit;border-color:#6b7280}
input:focus-visible,button:focus-visible,a:focus-visible{outline:3px solid #60a5fa;outline-offset:2px}
.other{margin:.75rem 0 0}
.factor{margin:1.5rem 0 0}
.factor p{margin:0 0 .75rem}
.other a{color:inherit}
.qr{display:block;width:13rem;max-width:100%;margin:0 auto 1rem;background:#fff}
.codes{columns:2;padding:0;list-style:none;font-size:.8125rem;white-space:nowrap}
code{font-family:ui-monospace,monospace;overflow-wrap:anywhere}
.error{margin:0 0 1rem;padding:.625rem .75rem;border:1px solid #b91c1c;border-radius:.375rem;color:#b91c1c}
@media (prefers-color-scheme:dark){body{background:#111827;color:#f3f4f6}main{background:#1f2937;border-color:#374151}.error{color:#fca5a5;border-color:#fca5a5}}`;

/** The source that the Content-Security-Policy allows: only the style above. */
export const STYLE_SOURCE = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** The text in HTML. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);

/** A whole page in the common frame, with its title as the heading. */
export const page = ({ language }: PageContext, title: string, body: string): string => `<!doctype html>
<html lang="${escaped(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${body}
</main>
</body>
</html>
`;

/** A page that is a sentence. Screen readers announce the end of something that succeeded. */
export const noticePage = (context: PageContext, title: string, text: string, status = 200): Page => ({
  status,
  html: page(context, title, `<p${status === 200 ? ' role="status"' : ''}>${escaped(text)}</p>`),
});

/** The reason why a form is shown again, above it; empty without one. */
export const errorText = (text: string | undefined): string =>
  text === undefined ? '' : `<p class="error" role="alert" id="error">${escaped(text)}</p>\n`;

/** Field of the forms that says which button was pressed. */
export const DECISION_FIELD = 'answer';

export interface LoginForm {
  readonly action: string;
  /** Proves that the form was loaded with this page. */
  readonly proof: string;
  /** What the page calls the client. */
  readonly client: string;
  /** Whether users log in with a name and a password. */
  readonly hasPasswords: boolean;
  /** The buttons of identity providers. */
  readonly providers: readonly { readonly title: string; readonly address: string }[];
  /** HTML of the login with a passkey. */
  readonly passkey?: string;
  /** Path of the page for a forgotten password. */
  readonly forgotPath?: string | undefined;
  /** Path of the page on which people create a user. */
  readonly signUpPath?: string | undefined;
}

/** Why a login at an identity provider failed. */
export type ProviderRefusal = keyof LoginTexts['login']['providerRefusals'];
type Refusal = keyof LoginTexts['login']['refusals'] | ProviderRefusal;

const linkTo = (path: string | undefined, text: string): string =>
  path === undefined ? '' : `\n<p class="other"><a href="${path}">${escaped(text)}</a></p>`;

/** The form for user name and password; without passwords only the button to cancel. */
function credentialsForm(context: PageContext, form: LoginForm, username: string, invalid: string): string {
  const texts = context.texts.login;
  const deny = `<button class="plain" name="${DECISION_FIELD}" value="deny" formnovalidate>${escaped(texts.cancel)}</button>`;
  const head = `<form method="post" action="${escaped(form.action)}">
<input type="hidden" name="proof" value="${escaped(form.proof)}">`;
  if (!form.hasPasswords) return `${head}\n<div class="buttons">\n${deny}\n</div>\n</form>`;
  return `${head}
<label for="username">${escaped(texts.username)}</label>
<input id="username" name="username" autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus value="${escaped(username)}"${invalid}>
<label for="password">${escaped(texts.password)}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${invalid}>
<div class="buttons">
<button name="${DECISION_FIELD}" value="login">${escaped(texts.submit)}</button>
${deny}
</div>
</form>${linkTo(form.forgotPath, texts.forgotten)}${linkTo(form.signUpPath, texts.signUp)}`;
}

/** The form for user name and password, and the buttons of identity providers; after a refusal with its reason. */
export function loginPage(
  context: PageContext,
  form: LoginForm,
  refused?: { readonly refusal: Refusal; readonly username: string },
): Page {
  const texts = context.texts.login;
  const error = errorText(refused && { ...texts.refusals, ...texts.providerRefusals }[refused.refusal]);
  const invalid = refused === undefined ? '' : ' aria-invalid="true" aria-describedby="error"';
  const credentials = credentialsForm(context, form, refused?.username ?? '', invalid);
  const providers = form.providers
    .map(
      ({ title, address }) =>
        `\n<a class="provider" href="${escaped(address)}">${escaped(filled(texts.loginWith, { provider: title }))}</a>`,
    )
    .join('');
  const html = page(
    context,
    texts.title,
    `<p>${escaped(filled(texts.intro, { client: form.client }))}</p>
${error}${credentials}${providers}${form.passkey ?? ''}`,
  );
  return { status: statusOf(refused?.refusal), html, usesScript: form.passkey !== undefined };
}
function statusOf(refusal: Refusal | undefined): number {
  if (refusal === undefined) return 200;
  if (refusal === 'provider-unavailable') return 503;
  return refusal === 'too-many' ? 429 : 401;
}

/** The form in which the user allows a client to act for them, or continues to a client that needs no consent. */
export function consentPage(
  context: PageContext,
  form: LoginForm,
  {
    username = '',
    scopes,
    clientHost,
    needsConsent,
  }: {
    readonly username?: string | undefined;
    readonly scopes: readonly string[];
    readonly clientHost: string;
    readonly needsConsent: boolean;
  },
  apiScope: string,
): Page {
  const texts = context.texts.login;
  const client = `${form.client} (${clientHost})`;
  const title = needsConsent ? texts.consentTitle : texts.continueTitle;
  const request = needsConsent
    ? `<p>${escaped(filled(texts.consentIntro, { client, username }))}</p>\n${scopeList(context, scopes, apiScope)}`
    : `<p>${escaped(filled(texts.continueIntro, { client, username }))}</p>`;
  const html = page(
    context,
    title,
    `${request}
<form method="post" action="${escaped(form.action)}">
<input type="hidden" name="proof" value="${escaped(form.proof)}">
<div class="buttons">
<button name="${DECISION_FIELD}" value="consent" autofocus>${escaped(needsConsent ? texts.allow : texts.continueButton)}</button>
<button class="plain" name="${DECISION_FIELD}" value="deny">${escaped(needsConsent ? texts.deny : texts.cancel)}</button>
</div>
</form>`,
  );
  return { status: 200, html };
}

/** What a client will be allowed, as a list. */
export function scopeList({ texts }: PageContext, scopes: readonly string[], apiScope: string): string {
  const explained = (scope: string): string => {
    const key = scope === apiScope ? 'api' : scope;
    const text = Object.hasOwn(texts.scopes, key) ? texts.scopes[key as keyof LoginTexts['scopes']] : undefined;
    return escaped(text === undefined ? scope : `${text} (${scope})`);
  };
  return `<ul>${scopes.map((scope) => `<li>${explained(scope)}</li>`).join('')}</ul>`;
}

/** The page for a URL without an interaction: it was opened directly, or too late. */
export const expiredPage = (context: PageContext): Page =>
  noticePage(context, context.texts.login.expiredTitle, context.texts.login.expired, 400);

/** The page for an authorization request without a valid redirect: an unknown client, or a foreign redirect URI. */
export const failurePage = (context: PageContext, description: string): Page =>
  noticePage(context, context.texts.login.failedTitle, description, 400);
