import { ApiDocument } from './api-document.js';
import { createAuthorizeDialog } from './authorize-dialog.js';
import { Credentials } from './credentials.js';
import { description, element, field } from './elements.js';
import { textOfFragment } from './fragment.js';
import { createOperations } from './operations.js';

const root = document.getElementById('explorer');
const documentUrl = new URL('../openapiDetailed.json', import.meta.url).href;

/** Shows the detailed document. The page sends no request to other servers. */
async function start() {
  const response = await fetch(documentUrl);
  if (!response.ok) throw new Error(`${documentUrl} is ${response.status}`);
  const api = new ApiDocument(await response.json(), documentUrl);
  const credentials = new Credentials();
  const dialog = createAuthorizeDialog(api, credentials);
  const operations = createOperations(api, credentials);
  document.title = `${api.info.title} – explorer`;
  root.replaceChildren(header(api, credentials, dialog), main(api, operations), dialog);
  const open = () => operations.open(textOfFragment(location.hash));
  window.addEventListener('hashchange', open);
  open();
}

function header({ info }, credentials, dialog) {
  const button = element(
    'button',
    { type: 'button', class: 'authorize', click: () => dialog.showModal() },
    'Authorize',
  );
  credentials.addEventListener('change', () => {
    button.textContent = credentials.hasToken ? 'Authorized' : 'Authorize';
  });
  return element('header', {}, element('h1', {}, info.title, ' ', element('small', {}, info.version)), button);
}

function main({ info, url }, operations) {
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
