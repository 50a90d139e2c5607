import { escaped, noticePage, type Page, type PageContext } from '../pages/pages.ts';
import { type ChangeProblem, type Form, formPage, newPasswordFields } from '../passwords/password-pages.ts';
import { filled } from '../texts/texts.ts';

/** The form for the e-mail address of a new user. */
export function signUpPage(context: PageContext, form: Form, problem?: 'limited'): Page {
  const { title, intro, email, sendLink } = context.texts.signUp;
  const rest = `<label for="email">${escaped(email)}</label>
<input id="email" name="email" type="email" autocomplete="email" maxlength="255" required autofocus>
<div class="buttons"><button>${escaped(sendLink)}</button></div>`;
  return formPage(context, form, [title, intro], rest, problem);
}

/** The form of a link: the password of the new user. */
export function confirmSignUpPage(
  context: PageContext,
  form: Form & {
    readonly token: string;
    readonly email: string;
    readonly minLength: number;
    readonly problem?: ChangeProblem | undefined;
  },
): Page {
  const { confirmTitle, confirmIntro, create } = context.texts.signUp;
  const rest = `<input type="hidden" name="token" value="${escaped(form.token)}">
<input type="hidden" name="username" autocomplete="username" value="${escaped(form.email)}">
${newPasswordFields(context, form.minLength)}
<div class="buttons"><button>${escaped(create)}</button></div>`;
  return formPage(context, form, [confirmTitle, filled(confirmIntro, { email: form.email })], rest, form.problem);
}

/** The same after each request. */
export function signUpSentPage(context: PageContext, minutes: number): Page {
  const { sentTitle, sent } = context.texts.signUp;
  return noticePage(context, sentTitle, filled(sent, { minutes }));
}

/** The last page. */
export function userCreatedPage(context: PageContext): Page {
  const { createdTitle, created } = context.texts.signUp;
  return noticePage(context, createdTitle, created);
}
