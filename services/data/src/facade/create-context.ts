import type { ServiceContext } from '@lintel/application';
import type { Principal } from '@lintel/contracts';
import { entityOf } from '@lintel/metadata';
import type { WriteDependencies } from '../entities/write/write-dependencies.ts';
import { chooseLocale } from '../locale/choose-locale.ts';
import { serializeEntity } from '../methods/results/serialize-entity.ts';
import { createApplicationData } from './create-application-data.ts';

/** What an edge knows of a request that application code serves. */
export interface CallerRequest {
  readonly principal: Principal;
  readonly acceptLanguage: string | undefined;
  readonly signal: AbortSignal;
}

/** What calls of application code need, once for a service. */
export interface ContextDependencies {
  readonly write: WriteDependencies;
  readonly availableLocales: readonly string[];
}

/** The context that a service method or a controller gets. */
export function createContext(request: CallerRequest, deps: ContextDependencies): ServiceContext {
  const { principal, acceptLanguage, signal } = request;
  const access = deps.write.accessOf(principal);
  const { model } = deps.write.environment;
  return {
    username: principal.username,
    locale: chooseLocale(acceptLanguage, principal.locale, deps.availableLocales),
    userAttributes: principal.attributes,
    isPermitted: (permission) => access.hasSpecific(permission),
    data: createApplicationData(deps.write, principal, signal),
    serializer: {
      toJson(name, value, options = {}) {
        const writing = {
          model,
          access: options.skipDenied === true ? access : undefined,
          instanceNames: options.instanceNames ?? true,
        };
        const entity = entityOf(model, name);
        const write = (item: unknown) => serializeEntity(writing, entity, item);
        return JSON.stringify(Array.isArray(value) ? value.map(write) : write(value));
      },
    },
    signal,
  };
}
