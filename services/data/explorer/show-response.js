import { element } from './elements.js';
import { formatJson } from './format-json.js';

/** Characters that are shown; a browser lays out more of them slowly. */
const MAX_SHOWN = 200_000;

/**
 * Sends a request and shows the response: status, time, headers and body.
 *
 * @param {HTMLElement} target
 * @param {{ url: string, init: RequestInit }} request
 */
export async function showResponse(target, { url, init }) {
  target.replaceChildren(element('p', {}, 'Sending…'));
  const begin = performance.now();
  try {
    const response = await fetch(url, init);
    const bytes = await response.blob();
    const milliseconds = Math.round(performance.now() - begin);
    target.replaceChildren(
      element('h3', {}, 'Response'),
      element(
        'p',
        {},
        element('strong', { class: 'response-status' }, String(response.status)),
        ` ${response.statusText}, ${milliseconds} ms, ${bytes.size} bytes`,
      ),
      await bodyOf(response, bytes, url),
      headersOf(response),
      element('h3', {}, 'Request'),
      code(commandOf(url, init), 'request-command', 'Command of the request'),
    );
  } catch (error) {
    target.replaceChildren(element('p', { class: 'problem' }, `The request failed: ${error.message}`));
  }
}

/** A region that scrolls can be reached by the keyboard. */
const code = (text, name, label) =>
  element('pre', { class: name, tabindex: '0', role: 'region', 'aria-label': label }, text);

async function bodyOf(response, bytes, url) {
  if (bytes.size === 0) return element('p', {}, 'The body is empty.');
  const type = response.headers.get('content-type') ?? '';
  if (!/json|text|xml|yaml|csv/.test(type)) {
    const name = decodeURIComponent(new URL(url).pathname.split('/').at(-1) || 'response');
    const link = element('a', { href: URL.createObjectURL(bytes), download: name }, `Save the body (${type})`);
    return element('p', {}, link);
  }
  const text = await bytes.text();
  const shown = /json/.test(type) ? formatJson(text) : text;
  const rest = shown.length > MAX_SHOWN ? `\n… ${shown.length - MAX_SHOWN} more characters` : '';
  return code(`${shown.slice(0, MAX_SHOWN)}${rest}`, 'response-body', 'Body of the response');
}

const headersOf = (response) =>
  element(
    'details',
    {},
    element('summary', {}, 'Headers'),
    code([...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n'), 'headers', 'Headers'),
  );

/** The request as a command, with the token left out. */
function commandOf(url, { method, headers, body }) {
  const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const shown = Object.entries(headers).map(([name, value]) =>
    name === 'authorization'
      ? `-H "Authorization: ${value.split(' ')[0]} $TOKEN"`
      : `-H ${quoted(`${name}: ${value}`)}`,
  );
  const content = typeof body === 'string' ? [`--data-raw ${quoted(body)}`] : [];
  return ['curl', `-X ${method}`, quoted(url), ...shown, ...content].join(' ');
}
