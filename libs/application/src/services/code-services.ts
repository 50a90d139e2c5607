import type { Model } from '@lintel/metadata';
import { ambiguousMethods } from './ambiguous-methods.ts';
import { isRestService, serviceOf } from './rest-service.ts';
import type { ServiceDefinition, ServiceMethod } from './service.ts';
import { isServiceComponent } from './service-component.ts';
import { isServiceUpstream } from './service-upstream.ts';
import type { ValueForm } from './value-type.ts';

/** The services that the code of an application defines, and what is wrong with them. */
export function codeServices(
  sources: readonly object[],
  model: Model,
): { readonly byName: ReadonlyMap<string, ServiceDefinition>; readonly problems: readonly string[] } {
  const byName = new Map<string, ServiceDefinition>();
  const problems: string[] = [];
  const componentNames = new Set<string>();
  const definedAt = new Map<string, string>();
  for (const [at, source] of sources.entries()) {
    if (isServiceUpstream(source)) continue;
    if (isServiceComponent(source)) {
      if (componentNames.has(source.name)) problems.push(`Two service components have the name ${source.name}`);
      componentNames.add(source.name);
      continue;
    }
    if (!isRestService(source) && !isDefinition(source)) {
      problems.push(`services: an instance of ${source.constructor.name} is none of a class with @RestService`);
      continue;
    }
    const service = isRestService(source) ? serviceOf(source) : (source as ServiceDefinition);
    const here = isRestService(source) ? `services[${at}] (class ${source.constructor.name})` : `services[${at}]`;
    const there = definedAt.get(service.name);
    if (there !== undefined) problems.push(`Two services have the name ${service.name}: ${there} and ${here}`);
    definedAt.set(service.name, here);
    byName.set(service.name, service);
    const ambiguous = ambiguousMethods(service.methods);
    if (ambiguous !== undefined)
      problems.push(
        `Service ${service.name}, ${here}: methods ${ambiguous.first + 1} and ${ambiguous.second + 1} are ambiguous: both are ${service.methods[ambiguous.second]?.name} with the same parameters`,
      );
    for (const method of service.methods) problems.push(...problemsOf(service.name, method, model));
  }
  return { byName, problems };
}

const isDefinition = (value: object): value is ServiceDefinition =>
  'name' in value && 'methods' in value && Array.isArray(value.methods);

/** The problems in the declaration of a method, such as types that the model does not contain. */
export function problemsOf(service: string, method: ServiceMethod, model: Model): readonly string[] {
  const where = `Service method ${service}.${method.name}`;
  const problems = [...namesOf(method.returns.form), ...method.parameters.flatMap(({ form }) => namesOf(form))].flatMap(
    (named): string[] => {
      if (named.kind === 'entity')
        return model.entities.has(named.entity) ? [] : [`${where} names the unknown entity ${named.entity}`];
      return model.enums.has(named.enumName) ? [] : [`${where} names the unknown enum ${named.enumName}`];
    },
  );
  if (method.parameters.some(({ name }) => name.trim() === ''))
    problems.push(`${where} has a parameter without a name`);
  if (method.httpMethods?.length === 0) problems.push(`${where} can be called by no HTTP method`);
  return problems;
}

type Named = Extract<ValueForm, { kind: 'entity' | 'enum' }>;

/** The entities and enums in a type. */
function namesOf(form: ValueForm): readonly Named[] {
  switch (form.kind) {
    case 'entity':
    case 'enum':
      return [form];
    case 'list':
      return namesOf(form.item);
    case 'record':
      return Object.values(form.members).flatMap((member) => namesOf(member.form));
    default:
      return [];
  }
}
