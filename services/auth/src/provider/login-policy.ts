import { interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import type { LoginSessions } from '../sessions/login-sessions.ts';

const { Check, Prompt } = interactionPolicy;

/**
 * When a user is asked to log in. With a valid login in the browser the user is not asked again, except by clients of
 * the loopback interface: any program of the machine could pretend to be one (RFC 8252 §8.6).
 */
export function loginPolicy(logins: Pick<LoginSessions, 'isValid'>): interactionPolicy.DefaultPolicy {
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
  policy.add(new Prompt({ name: 'select_account', requestable: true }), 0);
  // The setting of the client decides about consent, also for native applications.
  policy.get('consent')?.checks.remove('native_client_prompt');
  return policy;
}

/** Whether the login of the browser is enough for the client of the request. */
export async function hasValidLogin(
  { oidc: { client, session } }: KoaContextWithOIDC,
  logins: Pick<LoginSessions, 'isValid'>,
): Promise<boolean> {
  if (session?.accountId === undefined || client === undefined) return false;
  const isLoopback = client.applicationType === 'native' && (client.redirectUris?.length ?? 0) > 0;
  return !isLoopback && (await logins.isValid(session.uid, session.accountId));
}
