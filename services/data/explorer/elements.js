/**
 * Creates an element. Attributes whose value is `false` or `undefined` are left out; functions are listeners of the
 * event with the name. Texts become text nodes, never markup.
 *
 * @param {string} name
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Node | string | undefined)} children
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(key, value);
    else if (value !== false && value !== undefined) made.setAttribute(key, value === true ? '' : String(value));
  }
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/**
 * A description as paragraphs; parts between backticks are code.
 *
 * @param {string | undefined} text
 */
export const description = (text) =>
  element(
    'div',
    { class: 'description' },
    ...(text ?? '')
      .split(/\n{2,}/)
      .filter(Boolean)
      .map(paragraph),
  );

const paragraph = (text) =>
  element('p', {}, ...text.split('`').map((part, index) => (index % 2 === 1 ? element('code', {}, part) : part)));

/**
 * A field with its label.
 *
 * @param {string} label
 * @param {HTMLElement} input
 * @param {string} [note] below the field
 */
export function field(label, input, note) {
  const id = `field-${nextId()}`;
  input.id = id;
  const noteId = `${id}-note`;
  if (note) input.setAttribute('aria-describedby', noteId);
  return element(
    'div',
    { class: 'field' },
    element('label', { for: id }, label),
    input,
    note ? element('p', { id: noteId, class: 'note' }, note) : undefined,
  );
}

let lastId = 0;
const nextId = () => {
  lastId += 1;
  return lastId;
};
