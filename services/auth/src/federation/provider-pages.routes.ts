import type { LoginPages, LoginVisit } from '@lintel/federation';
import { isSameSecret } from '@lintel/http';
import {
  expiredPage,
  FEDERATED,
  formOf,
  goOn,
  type Interaction,
  interactionOf,
  type LoginRoutesDeps,
  loggedOutPage,
  loginPage,
  pageContextOf,
  sendPage,
} from '@lintel/login';
import type { Request, Response } from 'express';

type PagesDeps = Pick<LoginRoutesDeps, 'interactions' | 'secondFactor' | 'forms' | 'secret' | 'providers'>;

/** The login page with the buttons of providers. */
export const createProviderPages = (deps: PagesDeps): LoginPages => ({
  serve: (request, work) => deps.interactions().serve(request, work),
  async visitOfLink(request, response) {
    const interaction = await interactionOf(request, response, deps);
    const { proof } = request.query;
    if (interaction === undefined || typeof proof !== 'string') return undefined;
    return isSameSecret(proof, formOf(interaction, deps).proof)
      ? visitOf(request, response, interaction, deps)
      : undefined;
  },
  async visitOf(request, response) {
    const interaction = await deps.interactions().find(request, response);
    return interaction && visitOf(request, response, interaction, deps);
  },
  showExpired(request, response, status) {
    const page = expiredPage(pageContextOf(request));
    sendPage(response, { ...page, status: status ?? page.status });
  },
  showLoggedOut: (request, response) => sendPage(response, loggedOutPage(pageContextOf(request))),
  redirect: goOn,
  receiveForm: async (request, maxBytes) =>
    new URLSearchParams((await deps.forms.receive(request, maxBytes)).toString('utf8')),
});

/** Undefined unless the user has yet to log in. */
function visitOf(
  request: Request,
  response: Response,
  interaction: Interaction,
  deps: PagesDeps,
): LoginVisit | undefined {
  const { id, step, clientId, redirectUri } = interaction;
  if (step !== 'login') return undefined;
  return {
    id,
    clientId,
    accept: (login) => deps.secondFactor.begin({ request, response, interaction }, { ...login, methods: [FEDERATED] }),
    async refuse(kind) {
      const form = await deps.secondFactor.withPasskeyLogin({ request, interaction, form: formOf(interaction, deps) });
      sendPage(
        response,
        loginPage(pageContextOf(request), form, { refusal: `provider-${kind}`, username: '' }),
        redirectUri,
      );
    },
  };
}
