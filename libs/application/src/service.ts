import type { DataManager } from './data-manager.ts';

/** What a service method gets besides its parameters. `data` is limited to the caller's rights. */
export interface ServiceContext {
  readonly username: string;
  readonly locale: string;
  readonly data: DataManager;
  readonly signal: AbortSignal;
}

export interface ServiceParameter {
  readonly name: string;
  /** A datatype, an enum's or entity's name, either with `[]`, or `object`. */
  readonly type: string;
  readonly required?: boolean;
}

export interface ServiceMethod {
  readonly name: string;
  readonly parameters: readonly ServiceParameter[];
  /** Type of the result, as for parameters; `void` for none. */
  readonly returns: string;
  /** Without it, GET and POST. */
  readonly httpMethods?: readonly ('GET' | 'POST')[];
  readonly call: (parameters: Readonly<Record<string, unknown>>, context: ServiceContext) => Promise<unknown>;
}

/** A service of the application, called at `/rest/services/<name>/<method>`. */
export interface ServiceDefinition {
  readonly name: string;
  readonly methods: readonly ServiceMethod[];
}

/** Defines a service. */
export const service = (name: string, methods: readonly ServiceMethod[]): ServiceDefinition =>
  Object.freeze({ name, methods });
