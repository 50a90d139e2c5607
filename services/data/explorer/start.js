import { ApiDocument } from './api-document.js';
import { createAuthorizeDialog } from './authorize-dialog.js';
import { Credentials } from './credentials.js';
import { description, element, field } from './elements.js';
import { readFragment } from './fragment.js';
import { createLoginButton } from './login-button.js';
import { createOperations } from './operations.js';

const root = document.getElementById('explorer');
const documentUrl = new URL('../openapiDetailed.json', import.meta.url).href;

/** Shows the detailed document. The page sends no request to other servers. */
async function start() {
  const credentials = new Credentials();
  const { client, root: publicRoot } = root.dataset;
  const login = createLoginButton(credentials, { clientId: client, base: new URL(publicRoot, location.href).href });
  let response = await requestDocument(credentials);
  while (response.status === 401 && client !== undefined) {
    showLogin(login);
    await new Promise((resolve) => credentials.addEventListener('change', resolve, { once: true }));
    response = await requestDocument(credentials);
  }
  if (!response.ok) throw new Error(`${documentUrl} is ${response.status}`);
  const api = new ApiDocument(await response.json(), documentUrl);
  const dialog = createAuthorizeDialog(api, credentials);
  const unknown = element('p', { role: 'status', class: 'problem' });
  let operations = createOperations(api, credentials);
  let content = main(api, operations, unknown);
  document.title = `${api.info.title} – explorer`;
  const buttons = [login.status, login.button, authorizeButton(credentials, dialog)];
  const title = element('h1', {}, api.info.title, ' ', element('small', {}, api.info.version));
  root.replaceChildren(element('header', {}, title, element('div', { class: 'actions' }, ...buttons)), content, dialog);
  const open = () => {
    const named = readFragment(location.hash);
    const isKnown = operations.open(named) || named.id === '';
    const name = named.id ?? `${named.method} ${named.target}`;
    unknown.textContent = isKnown ? '' : `There is no operation ${name} that ${callersOf(credentials)} may call.`;
  };
  window.addEventListener('hashchange', open);
  open();
  // The document has the operations that the user may call; without a token, those that need none.
  const showOperations = async () => {
    if (!credentials.hasToken) return;
    const received = await requestDocument(credentials);
    if (!received.ok) return;
    const found = new ApiDocument(await received.json(), documentUrl);
    operations = createOperations(found, credentials);
    const next = main(found, operations, unknown);
    content.replaceWith(next);
    content = next;
    open();
  };
  credentials.addEventListener('change', showOperations);
}

const callersOf = ({ hasToken }) => (hasToken ? 'you' : 'requests without a login');

async function requestDocument(credentials) {
  const token = await credentials.accessToken();
  if (token === undefined) return fetch(documentUrl);
  return fetch(`${documentUrl}?for=me`, { headers: { authorization: `Bearer ${token}` } });
}

/** Before the document is there, if it needs a token. */
const showLogin = ({ button, status }) =>
  root.replaceChildren(
    element(
      'main',
      {},
      element('h1', {}, 'API explorer'),
      element('p', {}, 'Log in to read the document of the API.'),
      button,
      status,
    ),
  );

function authorizeButton(credentials, dialog) {
  const button = element(
    'button',
    { type: 'button', class: 'authorize', click: () => dialog.showModal() },
    'Authorize',
  );
  credentials.addEventListener('change', () => {
    button.textContent = credentials.hasToken ? 'Authorized' : 'Authorize';
  });
  return button;
}

function main({ info, url }, operations, unknown) {
  const count = element('p', { role: 'status', class: 'note' });
  const search = element('input', { type: 'search', placeholder: 'customer search', autocomplete: 'off' });
  const filter = () => {
    const found = operations.filter(search.value);
    count.textContent = `${found} operations`;
  };
  search.addEventListener('input', filter);
  filter();
  const links = ['json', 'yaml'].map((format) =>
    element('a', { href: url.replace(/json$/, format) }, `openapiDetailed.${format}`),
  );
  return element(
    'main',
    {},
    unknown,
    description(info.description),
    element('p', {}, 'Document: ', links[0], ', ', links[1]),
    field('Find operations by words', search),
    count,
    ...operations.elements,
  );
}

start().catch((error) => {
  root.replaceChildren(
    element('main', {}, element('h1', {}, 'API explorer'), element('p', { class: 'problem' }, error.message)),
  );
});
