import { element } from './elements.js';
import { authorizeByCode, loginOf, logOut } from './oauth.js';

/**
 * The button that logs the user in as the client of the explorer, or out; and what it reports.
 *
 * @param {import('./credentials.js').Credentials} credentials
 * @param {{ clientId: string | undefined, base: string }} server without a client there is a logout only
 */
export function createLoginButton(credentials, { clientId, base }) {
  const status = element('p', { role: 'status', class: 'note' });
  const at = (path) => new URL(path, base).href;
  let attempt = new AbortController();
  const logIn = async () => {
    // Its window may be closed: the next one replaces it.
    attempt.abort();
    attempt = new AbortController();
    status.textContent = 'Log in on the page that has opened.';
    const client = { id: clientId, secret: '' };
    const tokenUrl = at('oauth2/token');
    const flow = { authorizationUrl: at('oauth2/authorize'), tokenUrl };
    credentials.setLogin(loginOf(tokenUrl, client, await authorizeByCode(flow, client, attempt.signal)));
  };
  const end = async () => {
    await logOut(at('logout'), credentials.login);
    credentials.setToken(undefined);
    status.textContent = 'You are logged out.';
  };
  const click = () =>
    (credentials.login === undefined ? logIn() : end()).catch((error) => {
      if (error.isAborted !== true) status.textContent = error.message;
    });
  const button = element('button', { type: 'button', class: 'login', click });
  const show = () => {
    const isLoggedIn = credentials.login !== undefined;
    button.textContent = isLoggedIn ? 'Log out' : 'Log in';
    button.hidden = !isLoggedIn && clientId === undefined;
    status.textContent = isLoggedIn ? 'You are logged in.' : '';
  };
  credentials.addEventListener('change', show);
  credentials.addEventListener('end', ({ detail }) => {
    status.textContent = `The login has ended, log in again (${detail}).`;
  });
  show();
  return { button, status };
}
