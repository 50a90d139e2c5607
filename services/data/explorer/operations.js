import { description, element } from './elements.js';
import { matchOperation } from './match-operation.js';
import { createRequestForm } from './request-form.js';
import { showResponse } from './show-response.js';

/**
 * The operations, grouped by tag. A group makes its operations when it is opened, an operation its content: a document
 * has hundreds of them.
 *
 * @param {import('./api-document.js').ApiDocument} api
 * @param {import('./credentials.js').Credentials} credentials
 */
export function createOperations(api, credentials) {
  const context = { api, credentials };
  const tags = api.tags();
  const all = tags.flatMap(({ operations }) => operations);
  const groups = tags.map((tag) => createGroup(tag, context));
  return {
    elements: groups.map(({ section }) => section),
    /** Shows the operations that contain all words; returns their number. */
    filter(text) {
      const words = text.toLowerCase().split(/\s+/).filter(Boolean);
      return groups.reduce((sum, group) => sum + group.filter(words), 0);
    },
    /**
     * Opens the operation that a fragment names, with the values of its request; false for an unknown one.
     *
     * @param {ReturnType<typeof import('./fragment.js').readFragment>} named
     */
    open({ id, body, ...request }) {
      const found = id === undefined ? matchOperation(all, request) : undefined;
      const given = found && { ...found, body };
      return groups.some((group) => group.open(id ?? found?.operation.id, given));
    },
  };
}

function createGroup(tag, context) {
  const items = tag.operations.map((operation) => ({ operation, text: searchTextOf(tag, operation) }));
  const list = element('div', { class: 'operations' });
  let made;
  const make = () => {
    made ??= items.map((item) => ({ ...item, ...createOperation(item.operation, context) }));
    if (list.childElementCount === 0) list.append(...made.map(({ details }) => details));
    return made;
  };
  const section = element(
    'details',
    { class: 'tag', 'data-tag': tag.name, toggle: () => section.open && make() },
    element('summary', {}, element('h2', {}, tag.name), element('span', { class: 'count' }, String(items.length))),
    description(tag.description),
    list,
  );
  return {
    section,
    filter(words) {
      const matches = ({ text }) => words.every((word) => text.includes(word));
      const count = items.filter(matches).length;
      section.hidden = count === 0;
      section.open = words.length > 0 && count > 0 && count <= 25;
      if (section.open || made !== undefined) for (const item of make()) item.details.hidden = !matches(item);
      return count;
    },
    open(id, given) {
      if (!items.some(({ operation }) => operation.id === id)) return false;
      section.open = true;
      const { details, fill } = make().find(({ operation }) => operation.id === id);
      if (given !== undefined) fill(given);
      details.open = true;
      details.scrollIntoView();
      return true;
    },
  };
}

const searchTextOf = (tag, { method, path, id, summary }) =>
  [tag.name, method, path, id, summary].join(' ').toLowerCase();

function createOperation(operation, context) {
  const content = element('div', { class: 'content' });
  const fill = (given) => content.replaceChildren(...contentOf(given?.operation ?? operation, context, given));
  const { method, path, summary, deprecated } = operation;
  const details = element(
    'details',
    { class: 'operation', id: operation.id, toggle: () => details.open && content.childElementCount === 0 && fill() },
    element(
      'summary',
      {},
      element('span', { class: `method ${method}` }, method.toUpperCase()),
      element('code', { class: deprecated ? 'deprecated' : 'path' }, path),
      element('span', { class: 'summary' }, summary ?? ''),
    ),
    content,
  );
  return { details, fill };
}

function contentOf(operation, { api, credentials }, given) {
  const response = element('div', { class: 'response', 'aria-live': 'polite' });
  const send = async ({ url, init }) => {
    const authorization = await credentials.headerFor(operation.security, api.securitySchemes);
    const headers = { ...init.headers, ...(authorization === undefined ? {} : { authorization }) };
    return showResponse(response, { url, init: { ...init, headers } });
  };
  return [
    description(operation.description),
    element('p', { class: 'note' }, 'Operation ', element('a', { href: `#${operation.id}` }, operation.id)),
    createRequestForm(api, operation, send, given),
    response,
    ...schemasOf(operation, api),
  ];
}

/** The forms of the body and of the responses, closed. */
function schemasOf({ requestBody, responses }, api) {
  const body = Object.values(api.resolve(requestBody)?.content ?? {})[0];
  const received = Object.entries(responses ?? {}).map(([status, reference]) => {
    const { description: text, content } = api.resolve(reference);
    return outlineOf(`${status}: ${text}`, Object.values(content ?? {})[0]?.schema, api);
  });
  return [...(body === undefined ? [] : [outlineOf('Body of the request', body.schema, api)]), ...received];
}

function outlineOf(title, schema, api) {
  const table = element('div', { class: 'scrolled', tabindex: '0', role: 'region', 'aria-label': title });
  const fill = () => table.childElementCount === 0 && table.append(tableOf(api.outline(schema), api.typeOf(schema)));
  const details = element(
    'details',
    { class: 'schema', toggle: () => details.open && fill() },
    element('summary', {}, title),
    table,
  );
  return details;
}

function tableOf(lines, type) {
  if (lines.length === 0) return element('p', {}, type);
  const head = ['Name', 'Type', 'Description'].map((title) => element('th', { scope: 'col' }, title));
  const rows = lines.map(({ name, depth, type: kind, required, text }) =>
    element(
      'tr',
      {},
      element('td', {}, element('code', {}, `${'– '.repeat(depth)}${name}${required ? ' *' : ''}`)),
      element('td', {}, kind),
      element('td', {}, (text ?? '').replaceAll('`', '')),
    ),
  );
  return element(
    'table',
    {},
    element('caption', {}, type),
    element('thead', {}, element('tr', {}, ...head)),
    element('tbody', {}, ...rows),
  );
}
