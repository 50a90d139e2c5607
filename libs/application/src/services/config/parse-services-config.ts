import { StartError } from '@lintel/errors';
import type { Model } from '@lintel/metadata';
import { parseXml, type XmlElement } from '../../fetch-plans/xml-elements.ts';
import { DEPRECATION_ATTRIBUTES, readDeprecation } from '../../read-deprecation.ts';
import { ambiguousMethods } from '../ambiguous-methods.ts';
import type { ServiceDefinition, ServiceHttpMethod, ServiceMethod, ServiceParameter } from '../service.ts';
import type { ComponentFunction, ServiceComponent } from '../service-component.ts';
import { isPrimitiveName, parseTypeName } from './type-name.ts';

/** A resource file that exposes methods. */
export interface ServicesSource {
  /** Resource name, for error texts. */
  readonly name: string;
  /** The content of the file: XML. */
  readonly text: string;
}

/** A file of `svc.rest.services-config` that contradicts the application; the message names file and line. */
export class ServicesConfigError extends StartError {
  constructor(source: string, line: number | undefined, problem: string) {
    super(`${source}${line === undefined ? '' : `, line ${line}`}: ${problem}`);
    this.name = 'ServicesConfigError';
  }
}

interface Context {
  readonly source: string;
  readonly model: Model;
  readonly components: ReadonlyMap<string, ServiceComponent>;
}

/**
 * Reads which functions of which components are services (contract/services.md#exposure). Files
 * may add methods to the service of an earlier one.
 *
 * @throws ServicesConfigError for malformed XML, unknown elements and attributes, components, functions and
 *   types that the application does not have, two parameters with one name, and methods that no request can distinguish
 */
export function parseServicesConfig(
  sources: readonly ServicesSource[],
  components: readonly ServiceComponent[],
  model: Model,
): readonly ServiceDefinition[] {
  const byName = new Map(components.map((component) => [component.name, component]));
  const services = new Map<string, readonly LocatedMethod[]>();
  for (const { name: source, text } of sources) {
    const context = { source, model, components: byName };
    for (const element of rootOf(source, text).children) {
      const { name, methods } = readService(context, element);
      const located = methods.map((method, at) => ({
        method,
        source,
        line: element.children[at]?.line ?? element.line,
      }));
      services.set(name, [...(services.get(name) ?? []), ...located]);
    }
  }
  return [...services].map(([name, located]) => {
    assertDistinct(name, located);
    return Object.freeze({ name, methods: located.map(({ method }) => method) });
  });
}

interface LocatedMethod {
  readonly method: ServiceMethod;
  readonly source: string;
  readonly line: number;
}

function assertDistinct(service: string, located: readonly LocatedMethod[]): void {
  const ambiguous = ambiguousMethods(located.map(({ method }) => method));
  const first = located[ambiguous?.first ?? -1];
  const second = located[ambiguous?.second ?? -1];
  if (first === undefined || second === undefined) return;
  throw new ServicesConfigError(
    second.source,
    second.line,
    `method ${second.method.name} of ${service} is ambiguous with the one in ${first.source}, line ${first.line}: both have the same parameters`,
  );
}

function rootOf(source: string, text: string): XmlElement {
  let root: XmlElement;
  try {
    root = parseXml(text);
  } catch (error) {
    throw new ServicesConfigError(source, undefined, error instanceof Error ? error.message : String(error));
  }
  if (root.name !== 'services')
    throw new ServicesConfigError(source, root.line, `the root element is <${root.name}>, not <services>`);
  return root;
}

const failAt =
  ({ source }: Context, { line }: XmlElement) =>
  (problem: string): never => {
    throw new ServicesConfigError(source, line, problem);
  };

/** `anonymousAllowed` is read and ignored, as in files of the reference. */
const ATTRIBUTES: Readonly<Record<string, ReadonlySet<string>>> = {
  service: new Set(['name']),
  method: new Set(['name', 'httpMethod', 'anonymousAllowed', ...DEPRECATION_ATTRIBUTES]),
  param: new Set(['name', 'type', 'required']),
};

function checkElement(context: Context, element: XmlElement, expected: string): string {
  const fail = failAt(context, element);
  if (element.name !== expected) return fail(`<${element.name}> is not known here; <${expected}> is`);
  for (const attribute of Object.keys(element.attributes)) {
    if (ATTRIBUTES[expected]?.has(attribute) !== true) fail(`<${expected}> has no attribute "${attribute}"`);
  }
  const name = element.attributes['name']?.trim() ?? '';
  return name === '' ? fail(`<${expected}> needs the attribute "name"`) : name;
}

function readService(context: Context, element: XmlElement): ServiceDefinition {
  const name = checkElement(context, element, 'service');
  const component = context.components.get(name);
  if (component === undefined) return failAt(context, element)(`the application has no service component ${name}`);
  return { name, methods: element.children.map((child) => readMethod(context, component, child)) };
}

function readMethod(context: Context, component: ServiceComponent, element: XmlElement): ServiceMethod {
  const fail = failAt(context, element);
  const name = checkElement(context, element, 'method');
  const call = Object.hasOwn(component.functions, name) ? component.functions[name] : undefined;
  if (call === undefined) return fail(`the component ${component.name} has no function ${name}`);
  const parameters = element.children.map((child) => readParameter(context, child));
  if (new Set(parameters.map((parameter) => parameter.name)).size < parameters.length)
    fail(`method ${name} has two parameters with one name`);
  if (new Set(parameters.map(({ typeName }) => typeName === null)).size > 1)
    fail(`method ${name} has types for some of its parameters; all or none must have one`);
  return Object.freeze({
    name,
    parameters,
    returns: { form: { kind: 'any' } as const, rules: [] },
    httpMethods: httpMethodsOf(element, fail),
    transactional: false,
    origin: 'xml',
    deprecated: readDeprecation(element.attributes, fail),
    call: call satisfies ComponentFunction,
  });
}

function httpMethodsOf(
  { attributes }: XmlElement,
  fail: (problem: string) => never,
): readonly ServiceHttpMethod[] | undefined {
  const text = attributes['httpMethod'];
  if (text === undefined || text.trim() === '') return undefined;
  const method = text.trim().toUpperCase();
  return method === 'GET' || method === 'POST' ? [method] : fail(`httpMethod is GET or POST, not ${text}`);
}

function readParameter(context: Context, element: XmlElement): ServiceParameter {
  const fail = failAt(context, element);
  const name = checkElement(context, element, 'param');
  const { type, required } = element.attributes;
  if (required !== undefined && required !== 'true' && required !== 'false')
    fail(`required is true or false, not ${required}`);
  const form = type === undefined ? ({ kind: 'any' } as const) : parseTypeName(type, context.model);
  if (form === undefined) return fail(`the type ${type} of parameter ${name} is not known`);
  const isRequired = required !== 'false';
  return {
    name,
    form,
    typeName: type ?? null,
    required: isRequired,
    nullable: !isRequired || type === undefined || !isPrimitiveName(type),
    rules: [],
  };
}
