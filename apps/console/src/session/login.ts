import { type ConnectionOptions, createClient, createSession, LintelError, type Session } from '@lintel/client';
import type { Settings } from '../settings.ts';
import { createTabStorage } from './tab-storage.ts';

/** The path to which the login page leads back, below the base path. */
const CALLBACK = 'login';
/** Where the page was before the login. Not a secret. */
const RETURN_KEY = 'lintel-console.return-to';

/** The login of the user of this tab. */
export interface Login {
  readonly session: Session;
  /** Leaves the page for the login page; afterwards the user is where the page is now. */
  redirect(): Promise<void>;
  /** Ends the login here, at the server and in the browser, then shows the login page. */
  logOut(): Promise<void>;
  /** Calls the function when the server has ended the login. */
  onEnd(listener: () => void): void;
}

/** A login of a public client by authorization code with PKCE; see ADR 63 for where its tokens are. */
export function createLogin(settings: Settings): Login {
  let isLeaving = false;
  let onEnd: (() => void) | undefined;
  const connection: Pick<ConnectionOptions, 'baseUrl'> = { baseUrl: settings.server };
  const session = createSession({
    ...connection,
    clientId: settings.clientId,
    storage: createTabStorage('lintel-console.tab'),
    onChange(isLoggedIn) {
      if (!isLoggedIn && !isLeaving) onEnd?.();
    },
  });

  const redirect = async (returnTo: string): Promise<void> => {
    sessionStorage.setItem(RETURN_KEY, returnTo);
    await session.redirectToLogin({ redirectUri: new URL(CALLBACK, document.baseURI).href });
  };

  return {
    session,
    redirect: () => redirect(currentPath()),
    async logOut() {
      isLeaving = true;
      // Without a connection the tokens are forgotten all the same.
      await createClient({ ...connection, token: session })
        .connection.read({ method: 'POST', path: '/logout', repeatable: true })
        .catch(() => undefined);
      await session.logOut().catch(() => undefined);
      await redirect(settings.basePath);
    },
    onEnd(listener) {
      onEnd = listener;
    },
  };
}

/** What the start of the page found. */
export type LoginState = 'in' | 'leaving' | { readonly refused: string };

/** Finishes a login that has led back to the page; without a login, leaves the page for the login page. */
export async function ensureLogin(login: Login, settings: Settings): Promise<LoginState> {
  const isCallback = location.pathname === `${settings.basePath}${CALLBACK}`;
  try {
    if (isCallback && (await login.session.finishLogin())) {
      history.replaceState(null, '', takeReturn(settings));
      return 'in';
    }
  } catch (error) {
    // An address of an earlier login, from the history of the browser or a bookmark: the login begins again.
    if (!(error instanceof LintelError) || error.code !== 'LOGIN_STATE')
      return { refused: error instanceof Error ? error.message : String(error) };
  }
  if (isCallback) history.replaceState(null, '', settings.basePath);
  if (await login.session.isLoggedIn()) return 'in';
  await login.redirect();
  return 'leaving';
}

const currentPath = (): string => `${location.pathname}${location.search}${location.hash}`;

function takeReturn({ basePath }: Settings): string {
  const path = sessionStorage.getItem(RETURN_KEY);
  sessionStorage.removeItem(RETURN_KEY);
  return path?.startsWith(basePath) ? path : basePath;
}
