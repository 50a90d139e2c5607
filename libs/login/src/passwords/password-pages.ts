import type { LoginRefusal } from '../credentials/check-credentials.ts';
import {
  DECISION_FIELD,
  errorText,
  escaped,
  type LoginForm,
  noticePage,
  type Page,
  type PageContext,
  page,
} from '../pages/pages.ts';
import { filled, type PasswordProblem } from '../texts/texts.ts';

/** What the button of the form sends on the login page. */
export const CHANGE_DECISION = 'change-password';

/** Why the form is shown again. */
export type ChangeProblem = PasswordProblem | LoginRefusal;

export interface ChangeForm extends Form {
  readonly username: string;
  readonly minLength: number;
  /** The user must change the password before the login goes on. */
  readonly isRequired?: boolean;
  /** Asks for a code of the second factor, too. */
  readonly hasCode?: boolean;
  readonly problem?: ChangeProblem | undefined;
}

const STATUSES: Partial<Record<ChangeProblem, number>> = {
  'bad-credentials': 401,
  disabled: 401,
  locked: 401,
  'wrong-code': 401,
  'too-many': 429,
  limited: 429,
};

const textOf = ({ texts }: PageContext, problem: ChangeProblem): string => {
  const all: Readonly<Partial<Record<ChangeProblem, string>>> = {
    ...texts.login.refusals,
    ...texts.passwords.problems,
  };
  return all[problem] ?? '';
};

const passwordField = (name: string, label: string, autocomplete: string, more = ''): string =>
  `<label for="${name}">${escaped(label)}</label>
<input id="${name}" name="${name}" type="password" autocomplete="${autocomplete}" required${more}>`;

/** The two fields for a new password, with the rule about its length. */
export function newPasswordFields(context: PageContext, minLength: number): string {
  const texts = context.texts.passwords;
  return `${passwordField('new-password', texts.next, 'new-password', ' aria-describedby="rules"')}
<p id="rules" class="hint">${escaped(filled(texts.rules, { minLength }))}</p>
${passwordField('repeated-password', texts.repeated, 'new-password')}`;
}

/** The text of a problem above a form; empty without one. */
const problemText = (context: PageContext, problem: ChangeProblem | undefined): string =>
  errorText(problem && textOf(context, problem));

export type Form = Pick<LoginForm, 'action' | 'proof'>;

/** A page with a title, an introduction, and a form of the fields `rest`. */
export function formPage(
  context: PageContext,
  { action, proof }: Form,
  [title, intro]: readonly [title: string, intro: string],
  rest: string,
  problem?: ChangeProblem,
): Page {
  const html = page(
    context,
    title,
    `<p>${escaped(intro)}</p>
${problemText(context, problem)}<form method="post" action="${escaped(action)}">
<input type="hidden" name="proof" value="${escaped(proof)}">
${rest}
</form>`,
  );
  return { status: problem === undefined ? 200 : (STATUSES[problem] ?? 400), html };
}

/** The form in which a user changes the own password. */
export function changePasswordPage(context: PageContext, form: ChangeForm): Page {
  const texts = context.texts.passwords;
  const { username, isRequired = false, hasCode = false, problem } = form;
  const code = `\n<label for="code">${escaped(texts.code)}</label>
<input id="code" name="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" maxlength="40" required>`;
  const deny = `\n<button class="plain" name="${DECISION_FIELD}" value="deny" formnovalidate>${escaped(context.texts.login.cancel)}</button>`;
  const rest = `<label for="username">${escaped(context.texts.login.username)}</label>
<input id="username" name="username" autocomplete="username" autocapitalize="none" spellcheck="false" required value="${escaped(username)}"${isRequired ? ' readonly' : ' autofocus'}>
${passwordField('password', texts.current, 'current-password', isRequired ? ' autofocus' : '')}
${newPasswordFields(context, form.minLength)}${hasCode ? code : ''}
<div class="buttons">
<button name="${DECISION_FIELD}" value="${CHANGE_DECISION}">${escaped(texts.change)}</button>${isRequired ? deny : ''}
</div>`;
  return formPage(context, form, [texts.title, isRequired ? texts.requiredIntro : texts.intro], rest, problem);
}

/** The last page. */
export const passwordChangedPage = (context: PageContext): Page =>
  noticePage(context, context.texts.passwords.doneTitle, context.texts.passwords.done);

/** The form of a user who has forgotten the password. */
export function forgotPage(context: PageContext, form: Form, problem?: ChangeProblem): Page {
  const { forgotTitle, forgotIntro, name, sendLink } = context.texts.passwords;
  const rest = `<label for="name">${escaped(name)}</label>
<input id="name" name="name" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="255" required autofocus>
<div class="buttons"><button>${escaped(sendLink)}</button></div>`;
  return formPage(context, form, [forgotTitle, forgotIntro], rest, problem);
}

/** The same after each request: it does not say whether there is a user. */
export function linkSentPage(context: PageContext, minutes: number): Page {
  const { sentTitle, sent } = context.texts.passwords;
  return noticePage(context, sentTitle, filled(sent, { minutes }));
}

/** The form of a link. */
export function resetPage(
  context: PageContext,
  form: Form & { readonly token: string; readonly minLength: number; readonly problem?: ChangeProblem | undefined },
): Page {
  const { resetTitle, resetIntro, change } = context.texts.passwords;
  const rest = `<input type="hidden" name="token" value="${escaped(form.token)}">
${newPasswordFields(context, form.minLength)}
<div class="buttons"><button>${escaped(change)}</button></div>`;
  return formPage(context, form, [resetTitle, resetIntro], rest, form.problem);
}

/** For a link that has been used, or too late. */
export function linkExpiredPage(context: PageContext, forgotPath: string): Page {
  const { expiredTitle, expired, newLink } = context.texts.passwords;
  const body = `<p>${escaped(expired)}</p>
<a class="provider" href="${forgotPath}">${escaped(newLink)}</a>`;
  return { status: 400, html: page(context, expiredTitle, body) };
}
