import { ACR_ONE_FACTOR, meetsAcr } from '@lintel/contracts';
import type { RequiredAcr } from '@lintel/login';
import { interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import type { AccountDirectory } from '../accounts/account.ts';
import type { ClientRegistry } from '../clients/client.ts';
import type { LoginSessions } from '../sessions/login-sessions.ts';
import { splitScope } from '../tokens/token-request.ts';

const { Check, Prompt } = interactionPolicy;

/** Reason of a login page on which a login of the browser gets its second factor. */
export const SECOND_FACTOR_MISSING = 'second_factor_missing';

export interface LoginPolicyDeps {
  readonly loginSessions: Pick<LoginSessions, 'isValid'>;
  readonly requiredAcr: RequiredAcr;
  readonly accounts: Pick<AccountDirectory, 'find'>;
  readonly clients: Pick<ClientRegistry, 'find'>;
}

/**
 * When a user is asked to log in. With a valid login in the browser the user is not asked again, except by clients of
 * the loopback interface: any program of the machine could pretend to be one (RFC 8252 §8.6). Pages of the issuer's own
 * origin, as the console of a development machine, are served by the gateway itself.
 */
export function loginPolicy(deps: LoginPolicyDeps): interactionPolicy.DefaultPolicy {
  const { loginSessions: logins } = deps;
  const policy = interactionPolicy.base();
  policy
    .get('login')
    ?.checks.add(
      new Check(
        'login_not_valid',
        'End-User authentication is required',
        'login_required',
        async (context) => context.oidc.result?.login === undefined && !(await hasValidLogin(context, logins)),
      ),
    );
  policy
    .get('login')
    ?.checks.add(
      new Check(SECOND_FACTOR_MISSING, 'The login needs a second factor', 'interaction_required', (context) =>
        lacksSecondFactor(context, deps),
      ),
    );
  policy.add(new Prompt({ name: 'select_account', requestable: true }), 0);
  // The setting of the client decides about consent, also for native applications.
  policy.get('consent')?.checks.remove('native_client_prompt');
  return policy;
}

/** Without the factors that this request needs, no client gets a code, also if the pages have accepted the login. */
async function lacksSecondFactor(
  { oidc: { client, session, params } }: KoaContextWithOIDC,
  { requiredAcr, accounts, clients }: LoginPolicyDeps,
): Promise<boolean> {
  const account = session?.accountId === undefined ? undefined : await accounts.find(session.accountId);
  if (client === undefined || account === undefined) return false;
  const values = params?.['acr_values'];
  const required = await requiredAcr({
    account,
    clientAcr: clients.find(client.clientId)?.requiredAcr,
    acrValues: typeof values === 'string' ? splitScope(values) : [],
    methods: session?.amr ?? [],
  });
  return required !== ACR_ONE_FACTOR && !meetsAcr(session?.acr, required);
}

/** Whether the login of the browser is enough for the client of the request. */
export async function hasValidLogin(
  { oidc: { client, session, params, issuer } }: KoaContextWithOIDC,
  logins: Pick<LoginSessions, 'isValid'>,
): Promise<boolean> {
  if (session?.accountId === undefined || client === undefined) return false;
  const isNative = client.applicationType === 'native' && (client.redirectUris?.length ?? 0) > 0;
  // The address of the request, not the registered one: a loopback redirect may have any port.
  const redirect = params?.['redirect_uri'];
  const isOfIssuer = typeof redirect === 'string' && URL.parse(redirect)?.origin === URL.parse(issuer)?.origin;
  return (!isNative || isOfIssuer) && (await logins.isValid(session.uid, session.accountId));
}
