import type { ServiceContext } from './service-context.ts';

/** A function of a component: what XML exposes takes the parameters by name. */
// biome-ignore lint/suspicious/noExplicitAny: the configuration has the types of the parameters
export type ComponentFunction = (parameters: any, context: ServiceContext) => unknown;

/** Functions under one name; callable once a file of `svc.rest.services-config` exposes them. */
export interface ServiceComponent {
  readonly kind: 'component';
  /** The name that files of `svc.rest.services-config` refer to. */
  readonly name: string;
  /** Functions by the names of methods in these files. */
  readonly functions: Readonly<Record<string, ComponentFunction>>;
}

/** Gives functions a name that `svc.rest.services-config` refers to. */
export const serviceComponent = (
  name: string,
  functions: Readonly<Record<string, ComponentFunction>>,
): ServiceComponent => Object.freeze({ kind: 'component', name, functions });

/** Whether a value was created by `serviceComponent`. */
export const isServiceComponent = (value: object): value is ServiceComponent =>
  'kind' in value && value.kind === 'component';
