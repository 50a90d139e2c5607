import { loggedOutPage, logoutPage, type Page, pageContextOf, pageHeaders } from '@lintel/login';
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';

type Features = NonNullable<Configuration['features']>;

/** Logout that a client starts (OpenID Connect RP-Initiated Logout), with our pages. */
export function rpInitiatedLogout(): NonNullable<Features['rpInitiatedLogout']> {
  return {
    enabled: true,
    logoutSource(context) {
      const { client, session } = context.oidc;
      const text = (name: string): string | undefined => {
        const value = session?.state?.[name];
        return typeof value === 'string' ? value : undefined;
      };
      const name = client?.clientName ?? client?.clientId;
      show(context, logoutPage(pageContextOf(context.req), text('secret') ?? '', name), text('postLogoutRedirectUri'));
    },
    postLogoutSuccessSource: (context) => show(context, loggedOutPage(pageContextOf(context.req))),
  };
}

function show(context: KoaContextWithOIDC, { status, html }: Page, redirectUri?: string): void {
  context.set({ ...pageHeaders(redirectUri) });
  context.status = status;
  context.body = html;
}
