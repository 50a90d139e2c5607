/**
 * The only script of the pages: it asks the browser for a passkey and sends the response with the form. Without it, and
 * in browsers without passkeys, the forms stay hidden.
 */
export const PASSKEY_SCRIPT = `'use strict';
const toBytes = (text) => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));
const toText = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\\+/g, '-').replace(/\\//g, '_').replace(/=+$/, '');
const withBytes = (list) => (list ?? []).map((each) => ({ ...each, id: toBytes(each.id) }));

async function ask(kind, options) {
  const publicKey = { ...options, challenge: toBytes(options.challenge) };
  if (kind === 'get') {
    publicKey.allowCredentials = withBytes(options.allowCredentials);
    return navigator.credentials.get({ publicKey });
  }
  publicKey.user = { ...options.user, id: toBytes(options.user.id) };
  publicKey.excludeCredentials = withBytes(options.excludeCredentials);
  return navigator.credentials.create({ publicKey });
}

function toJson({ id, rawId, type, response }) {
  const parts = { clientDataJSON: toText(response.clientDataJSON) };
  for (const name of ['attestationObject', 'authenticatorData', 'signature', 'userHandle'])
    if (response[name]) parts[name] = toText(response[name]);
  if (response.getTransports) parts.transports = response.getTransports();
  return { id, rawId: toText(rawId), type, response: parts, clientExtensionResults: {} };
}

for (const form of window.PublicKeyCredential ? document.querySelectorAll('form[data-passkey]') : []) {
  form.hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const problem = form.querySelector('[data-problem]');
    problem.hidden = true;
    try {
      const credential = await ask(form.dataset.passkey, JSON.parse(form.dataset.options));
      form.elements.credential.value = JSON.stringify(toJson(credential));
      form.submit();
    } catch {
      problem.hidden = false;
    }
  });
}
`;
