import { StartError } from '@lintel/errors';
import type { ValidationRule } from '@lintel/metadata';
import { type Deprecation, deprecationProblem } from '../deprecation.ts';
import { typeNameOf } from './config/type-name.ts';
import type { ServiceContext } from './service-context.ts';
import type { ValueForm, ValueOf, ValuesOf, ValueType } from './value-type.ts';

/** The HTTP methods that service methods are called by. */
export type ServiceHttpMethod = 'GET' | 'POST';

/** A parameter of a service method. */
export interface ServiceParameter {
  /** Name of the parameter in URLs and bodies. */
  readonly name: string;
  /** The type of its values. */
  readonly form: ValueForm;
  /** The value in the listing; null if the configuration has none. */
  readonly typeName: string | null;
  /** It must be among the supplied parameters. */
  readonly required: boolean;
  /** Null is handed on as `undefined` instead of being refused. */
  readonly nullable: boolean;
  /** Checked before the method is called; a violation returns 400. */
  readonly rules: readonly ValidationRule[];
}

/** A service method with its contract. */
export interface ServiceMethod {
  /** The last part of the path of its calls. Several methods of a service may have the same name. */
  readonly name: string;
  /** In the order of the declaration; which of several declarations is called follows from them. */
  readonly parameters: readonly ServiceParameter[];
  /** Type of the result, and the rules that it is checked with. */
  readonly returns: { readonly form: ValueForm; readonly rules: readonly ValidationRule[] };
  /** Undefined: GET and POST. */
  readonly httpMethods: readonly ServiceHttpMethod[] | undefined;
  /** The call runs in one transaction, which an exception rolls back. */
  readonly transactional: boolean;
  /** Nothing remains of a call whose transaction is rolled back: it can be rehearsed. */
  readonly rehearsable?: boolean | undefined;
  /** A call may continue without its client. */
  readonly longRunning?: boolean | undefined;
  /** Announced to clients in headers and in the API documents. */
  readonly deprecated?: Deprecation | undefined;
  /** A person who calls it shall confirm the call: pages ask, the API does not. */
  readonly confirm?: boolean | undefined;
  /** The kind of its declaration: the listing shows a method of the code once for each HTTP method. */
  readonly origin: 'code' | 'xml';
  /** The function. What it throws becomes the response of an error. */
  readonly call: (parameters: Readonly<Record<string, unknown>>, context: ServiceContext) => unknown;
}

/** A service of the application, called at `/rest/services/<name>/<method>`. */
export interface ServiceDefinition {
  /** Unique in the application. */
  readonly name: string;
  /** All declarations; several may have the same name and different parameters. */
  readonly methods: readonly ServiceMethod[];
}

/** Types of parameters by their names: `{ from: t.localDate }`. */
export type ParameterTypes = Readonly<Record<string, ValueType<unknown>>>;

/** The contract of a method: the options of `@RestMethod` and `restMethod`. */
export interface MethodOptions<P extends ParameterTypes, R extends ValueType<unknown>> {
  /** HTTP methods it may be called by; GET and POST without it. */
  readonly methods?: readonly ServiceHttpMethod[];
  /** Types of the parameters, by name. */
  readonly params?: P;
  /** Type of the result; without it, the value that the method returns decides (contract/decisions.md#67). */
  readonly returns?: R;
  /** Runs every call in one transaction. */
  readonly transactional?: boolean;
  /**
   * The method has no effects outside of `data`: clients may rehearse a call, in a transaction that is rolled back
   * (contract/services.md#rehearsal). It must be transactional.
   */
  readonly rehearsable?: boolean;
  /**
   * Users who call it by POST with `Prefer: respond-async` get the location of a run, and its result later
   * (contract/services.md#long-running). The call may begin again after its process was stopped.
   */
  readonly longRunning?: boolean;
  /** Announced to clients in headers and in the API documents. */
  readonly deprecated?: Deprecation;
  /** The console asks before it calls the method. */
  readonly confirm?: boolean;
}

/** The signature of a method's function: parameters by name, then the context. */
export type MethodFunction<P extends ParameterTypes, R extends ValueType<unknown>> = (
  parameters: ValuesOf<P>,
  context: ServiceContext,
) => ResultOf<R> | Promise<ResultOf<R>>;

/** Null and undefined become a 204 for every type. */
type ResultOf<R> = ValueOf<R> | null | undefined | (undefined extends ValueOf<R> ? void : never);

/** The parameters that options describe: `parameters: ParametersOf<typeof OPTIONS>`. */
export type ParametersOf<O> = O extends { readonly params: infer P extends ParameterTypes }
  ? ValuesOf<P>
  : Readonly<Record<never, never>>;

/** A method as `service` takes it, by its name. */
export interface MethodDeclaration {
  /** The contract of the method. */
  readonly options: MethodOptions<ParameterTypes, ValueType<unknown>>;
  /** The function of the method. */
  readonly call: ServiceMethod['call'];
}

/**
 * Declares a method of a service in the builder form; the types of `call` follow from `params` and `returns`.
 *
 * ```ts
 * service('shop_Prices', {
 *   half: restMethod({ params: { of: t.int }, returns: t.double }, ({ of }) => of / 2),
 * })
 * ```
 */
export const restMethod = <const P extends ParameterTypes, R extends ValueType<unknown> = ValueType<unknown>>(
  options: MethodOptions<P, R>,
  call: MethodFunction<P, R>,
): MethodDeclaration => Object.freeze({ options, call: call as ServiceMethod['call'] });

/**
 * Defines a service. A method may have several declarations with different parameters: which one is called
 * follows from the parameters that a request supplies.
 */
export const service = (
  name: string,
  methods: Readonly<Record<string, MethodDeclaration | readonly MethodDeclaration[]>>,
): ServiceDefinition =>
  Object.freeze({
    name,
    methods: Object.entries(methods).flatMap(([method, declarations]) =>
      [declarations].flat().map(({ options, call }) => methodOf(method, options, call)),
    ),
  });

/** Creates a method from options and a function. */
export function methodOf(
  name: string,
  options: MethodOptions<ParameterTypes, ValueType<unknown>>,
  call: ServiceMethod['call'],
): ServiceMethod {
  const parameters = Object.entries(options.params ?? {}).map(
    ([parameter, { definition }]): ServiceParameter => ({
      name: parameter,
      form: definition.form,
      typeName: typeNameOf(definition.form),
      required: !definition.optional,
      nullable: definition.optional,
      rules: definition.rules,
    }),
  );
  const problem = options.deprecated === undefined ? undefined : deprecationProblem(options.deprecated);
  if (problem !== undefined) throw new StartError(`The method ${name}: ${problem}`);
  const { transactional = false, rehearsable = false } = options;
  if (rehearsable && !transactional)
    throw new StartError(`The method ${name} is rehearsable, but not transactional: nothing would be rolled back`);
  const { form, rules } = options.returns?.definition ?? { form: { kind: 'any' } as const, rules: [] };
  return Object.freeze({
    name,
    parameters,
    returns: { form, rules },
    httpMethods: options.methods,
    transactional,
    ...(rehearsable && { rehearsable }),
    ...(options.longRunning === true && { longRunning: true }),
    deprecated: options.deprecated,
    ...(options.confirm !== undefined && { confirm: options.confirm }),
    origin: 'code',
    call,
  });
}
