const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'];
/** Depth of generated examples and of outlines; schemas refer to each other. */
const MAX_DEPTH = 4;

/** An OpenAPI document, with its references resolved on demand. */
export class ApiDocument {
  #content;

  constructor(content, url) {
    this.#content = content;
    this.url = url;
  }

  get info() {
    return this.#content.info;
  }

  /** The address that the paths are relative to. */
  get server() {
    return new URL(this.#content.servers?.[0]?.url ?? '/', this.url).href.replace(/\/$/, '');
  }

  get securitySchemes() {
    return this.#content.components?.securitySchemes ?? {};
  }

  /** The object that a reference names, or the value itself. */
  resolve(value) {
    if (value?.$ref === undefined) return value;
    const path = value.$ref.replace(/^#\//, '').split('/');
    const found = path.reduce(
      (object, key) => object?.[key.replaceAll('~1', '/').replaceAll('~0', '~')],
      this.#content,
    );
    return this.resolve(found);
  }

  /** The tags in the order of the document, each with its operations. */
  tags() {
    const groups = new Map((this.#content.tags ?? []).map((tag) => [tag.name, { ...tag, operations: [] }]));
    for (const operation of this.#operations()) {
      const name = operation.tags?.[0] ?? 'Other';
      if (!groups.has(name)) groups.set(name, { name, operations: [] });
      groups.get(name).operations.push(operation);
    }
    return [...groups.values()].filter(({ operations }) => operations.length > 0);
  }

  *#operations() {
    for (const [path, item] of Object.entries(this.#content.paths)) {
      for (const method of METHODS) {
        const operation = item[method];
        if (operation === undefined) continue;
        const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((one) =>
          this.resolve(one),
        );
        const security = operation.security ?? this.#content.security ?? [];
        yield { ...operation, method, path, parameters, security, id: operation.operationId ?? `${method}${path}` };
      }
    }
  }

  /** An example of a body: that of the document, else one that is made of the schema. */
  exampleOf(media) {
    const named = Object.values(media.examples ?? {})[0];
    if (media.example !== undefined) return media.example;
    if (named !== undefined) return this.resolve(named).value;
    return this.#example(media.schema, 0);
  }

  #example(reference, depth) {
    const schema = this.resolve(reference) ?? {};
    const given = schema.example ?? schema.examples?.[0] ?? schema.default ?? schema.const ?? schema.enum?.[0];
    if (given !== undefined) return given;
    const part = schema.oneOf?.[0] ?? schema.anyOf?.[0];
    if (part !== undefined) return this.#example(part, depth);
    if (schema.allOf !== undefined)
      return Object.assign({}, ...schema.allOf.map((one) => this.#example(one, depth)).filter(isObject));
    if (depth > MAX_DEPTH) return null;
    if (schema.properties !== undefined)
      return Object.fromEntries(
        Object.entries(schema.properties)
          .filter(([, property]) => property.readOnly !== true)
          .map(([name, property]) => [name, this.#example(property, depth + 1)]),
      );
    const type = [schema.type].flat().find((one) => one !== 'null');
    if (type === 'array') return [this.#example(schema.items, depth + 1)];
    return { string: 'text', integer: 0, number: 0, boolean: true, object: {} }[type] ?? null;
  }

  /** The form of a schema: lines with name, type and description, indented by depth. */
  outline(reference, depth = 0) {
    const schema = this.resolve(reference) ?? {};
    if (schema.items !== undefined) return this.outline(schema.items, depth);
    const parts = [schema, ...(schema.allOf ?? []).map((one) => this.resolve(one))];
    const required = parts.flatMap((part) => part.required ?? []);
    return parts
      .flatMap((part) => Object.entries(part.properties ?? {}))
      .flatMap(([name, property]) => [
        { name, depth, type: this.typeOf(property), required: required.includes(name), text: property.description },
        ...(depth < 1 && property.$ref === undefined ? this.outline(property, depth + 1) : []),
      ]);
  }

  /** The type of a schema in a word or two. */
  typeOf(schema) {
    if (schema?.$ref !== undefined) return schema.$ref.split('/').at(-1);
    const { type, format, items, oneOf, anyOf } = schema ?? {};
    if (items !== undefined) return `array of ${this.typeOf(items)}`;
    const choices = oneOf ?? anyOf;
    if (choices !== undefined) return choices.map((one) => this.typeOf(one)).join(' or ');
    const name = [type].flat().filter(Boolean).join(' or ') || 'any';
    return format === undefined ? name : `${name} (${format})`;
  }
}

const isObject = (value) => typeof value === 'object' && value !== null;
