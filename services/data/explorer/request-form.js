import { element, field } from './elements.js';
import { keyOf } from './match-operation.js';

/**
 * The form with the parameters and the body of an operation.
 *
 * @param {import('./api-document.js').ApiDocument} api
 * @param {object} operation
 * @param {(request: { url: string, init: RequestInit }) => void} send
 * @param {{ values: ReadonlyMap<string, string>, body?: string }} [given] values of a request, at first
 */
export function createRequestForm(api, operation, send, given) {
  const parameters = operation.parameters.map((parameter) => {
    const input = inputOf(api, parameter);
    if (given !== undefined) input.value = given.values.get(keyOf(parameter.in, parameter.name)) ?? '';
    return { parameter, input };
  });
  const { requestBody } = operation;
  const body = requestBody === undefined ? undefined : createBody(api, api.resolve(requestBody), given?.body);
  const submit = (event) => {
    event.preventDefault();
    send(requestOf(api, operation, parameters, body));
  };
  return element(
    'form',
    { class: 'request', submit },
    ...parameters.map(({ parameter, input }) =>
      field(labelOf(parameter), input, parameter.description?.replaceAll('`', '')),
    ),
    ...(body?.fields ?? []),
    element('button', { class: 'execute' }, 'Execute'),
  );
}

const labelOf = ({ name, in: location, required }) => `${name} (${location}${required ? ', required' : ''})`;

function inputOf(api, parameter) {
  const schema = api.resolve(parameter.schema) ?? {};
  const common = { name: parameter.name, required: parameter.required === true };
  const choices = schema.enum ?? (schema.type === 'boolean' ? [true, false] : undefined);
  if (choices !== undefined)
    return element(
      'select',
      common,
      element('option', { value: '' }, '–'),
      ...choices.map((one) => element('option', {}, String(one))),
    );
  const value = parameter.required === true ? (parameter.example ?? schema.example) : undefined;
  const placeholder = parameter.example ?? schema.example ?? schema.default;
  return element('input', { ...common, type: 'text', value, placeholder, autocomplete: 'off', spellcheck: 'false' });
}

/** The fields of a body: a text, fields of a form, or a file. */
function createBody(api, { content }, text) {
  const types = Object.keys(content);
  const choice = element('select', {}, ...types.map((type) => element('option', {}, type)));
  const container = element('div');
  let current;
  const show = () => {
    const media = content[choice.value];
    current = bodyOf(api, choice.value, text === undefined ? media : { ...media, example: text });
    container.replaceChildren(...current.fields);
  };
  choice.addEventListener('change', show);
  show();
  return { fields: [field('Content type of the body', choice), container], read: () => current.read() };
}

function bodyOf(api, type, media) {
  if (type === 'application/x-www-form-urlencoded' || type === 'multipart/form-data') return formBody(api, type, media);
  if (!/json|text|xml/.test(type)) {
    const file = element('input', { type: 'file', required: true });
    const read = () => ({ body: file.files[0], type: file.files[0]?.type || 'application/octet-stream' });
    return { fields: [field('Body', file)], read };
  }
  const example = api.exampleOf(media);
  const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2);
  const area = element('textarea', { rows: Math.min(20, text.split('\n').length + 1), spellcheck: 'false' }, text);
  return { fields: [field('Body', area)], read: () => ({ body: area.value, type }) };
}

function formBody(api, type, { schema }) {
  const { properties = {}, required = [] } = api.resolve(schema) ?? {};
  const inputs = Object.entries(properties).map(([name, property]) => {
    const { format, contentMediaType } = api.resolve(property) ?? {};
    const isFile = format === 'binary' || contentMediaType !== undefined;
    const kind = isFile ? 'file' : /password|secret/.test(name) ? 'password' : 'text';
    return element('input', { name, type: kind, required: required.includes(name), autocomplete: 'off' });
  });
  const read = () => {
    const values = inputs.map((input) => [input.name, input.type === 'file' ? input.files[0] : input.value]);
    const given = values.filter(([, value]) => value !== undefined && value !== '');
    if (type !== 'multipart/form-data') return { body: new URLSearchParams(given) };
    const data = new FormData();
    for (const [name, value] of given) data.append(name, value);
    return { body: data };
  };
  return { fields: inputs.map((input) => field(input.name, input)), read };
}

function requestOf(api, { method, path }, parameters, body) {
  const given = parameters.filter(({ input }) => input.value !== '');
  const inputsIn = (location) => given.filter(({ parameter }) => parameter.in === location);
  let filled = path;
  for (const { parameter, input } of inputsIn('path'))
    filled = filled.replace(`{${parameter.name}}`, encodeURIComponent(input.value));
  const query = new URLSearchParams();
  for (const { parameter, input } of inputsIn('query'))
    for (const value of valuesOf(api, parameter, input.value)) query.append(parameter.name, value);
  const headers = Object.fromEntries(inputsIn('header').map(({ parameter, input }) => [parameter.name, input.value]));
  const { body: content, type } = body?.read() ?? {};
  if (type !== undefined) headers['content-type'] = type;
  const search = query.size === 0 ? '' : `?${query}`;
  return { url: `${api.server}${filled}${search}`, init: { method: method.toUpperCase(), headers, body: content } };
}

/** The values of a list are parameters of their own, unless the document says otherwise. */
const valuesOf = (api, { schema, explode }, value) =>
  api.resolve(schema)?.type === 'array' && explode !== false ? value.split(',').map((one) => one.trim()) : [value];
