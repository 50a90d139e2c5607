import { element, field } from './elements.js';
import { authorizeByCode, loginOf, requestTokens } from './oauth.js';

const TITLES = {
  password: 'User name and password',
  clientCredentials: 'Client credentials',
  authorizationCode: 'Login page (authorization code with PKCE)',
};

/**
 * The dialog with one form for each way to get credentials that the document names.
 *
 * @param {import('./api-document.js').ApiDocument} api
 * @param {import('./credentials.js').Credentials} credentials
 */
export function createAuthorizeDialog(api, credentials) {
  const status = element('p', { role: 'status', class: 'status' });
  const closing = new EventTarget();
  const dialog = element(
    'dialog',
    { 'aria-labelledby': 'authorize-title', close: () => closing.dispatchEvent(new Event('close')) },
    element('h2', { id: 'authorize-title' }, 'Authorize'),
    element('p', {}, 'Tokens stay in the memory of this page, until you reload it.'),
    status,
    ...Object.values(api.securitySchemes).flatMap((scheme) => formsOf(scheme, { api, credentials, status, closing })),
    element(
      'p',
      { class: 'actions' },
      element('button', { type: 'button', click: () => credentials.setToken(undefined) }, 'Remove token'),
      element('button', { type: 'button', class: 'close', click: () => dialog.close() }, 'Close'),
    ),
  );
  credentials.addEventListener('change', () => {
    status.textContent = credentials.hasToken ? 'Requests are sent with a token.' : 'There is no token.';
  });
  return dialog;
}

function formsOf(scheme, context) {
  if (scheme.type === 'oauth2')
    return Object.entries(scheme.flows)
      .filter(([name]) => name in TITLES)
      .map(([name, flow]) => flowForm(name, flow, context));
  if (scheme.type === 'http' && scheme.scheme === 'bearer') return [tokenForm(context)];
  if (scheme.type === 'http' && scheme.scheme === 'basic') return [clientForm(context)];
  return [];
}

const input = (name, type = 'text', required = true) =>
  element('input', { name, type, required, autocomplete: 'off', spellcheck: 'false' });

const clientFields = () => [
  field('Client id', input('client_id')),
  field('Client secret', input('client_secret', 'password', false), 'Empty for a public client'),
];

function flowForm(name, flow, { api, credentials, status, closing }) {
  const at = (url) => new URL(url, `${api.server}/`).href;
  const userFields =
    name === 'password'
      ? [field('User name', input('username')), field('Password', input('password', 'password'))]
      : [];
  const tokenUrl = at(flow.tokenUrl);
  const tokensFor = (client, { username, password }) => {
    if (name === 'password') return requestTokens(tokenUrl, client, { grant_type: 'password', username, password });
    if (name === 'clientCredentials') return requestTokens(tokenUrl, client, { grant_type: 'client_credentials' });
    return authorizeByCode({ authorizationUrl: at(flow.authorizationUrl), tokenUrl }, client, untilClosed(closing));
  };
  return form(TITLES[name], `flow-${name}`, [...userFields, ...clientFields()], 'Log in', status, async (values) => {
    const client = { id: values.client_id, secret: values.client_secret };
    credentials.setLogin(loginOf(tokenUrl, client, await tokensFor(client, values)));
  });
}

function untilClosed(closing) {
  const controller = new AbortController();
  closing.addEventListener('close', () => controller.abort(), { once: true });
  return controller.signal;
}

const tokenForm = ({ credentials, status }) =>
  form('Access token', 'token', [field('Token', input('token', 'password'))], 'Use token', status, ({ token }) =>
    credentials.setToken(token),
  );

const clientForm = ({ credentials, status }) =>
  form('Client, for token requests', 'client', clientFields(), 'Use client', status, (values) => {
    credentials.setClient({ id: values.client_id, secret: values.client_secret });
    status.textContent = 'Token requests are sent with the client.';
  });

function form(title, id, fields, action, status, onSubmit) {
  const submit = async (event) => {
    event.preventDefault();
    status.textContent = 'Requesting…';
    try {
      await onSubmit(Object.fromEntries(new FormData(event.target)));
    } catch (error) {
      status.textContent = error.message;
    }
  };
  return element(
    'details',
    { class: 'way', 'data-way': id },
    element('summary', {}, element('h3', {}, title)),
    element('form', { submit }, ...fields, element('button', {}, action)),
  );
}
