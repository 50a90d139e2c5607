import {
  type MethodFunction,
  type MethodOptions,
  methodOf,
  type ParameterTypes,
  type ServiceDefinition,
  type ServiceMethod,
} from './service.ts';
import type { ValueType } from './value-type.ts';

type Options = MethodOptions<ParameterTypes, ValueType<unknown>>;
type AnyFunction = (...parameters: never[]) => unknown;

// By the function and the class themselves: decorators run before there is an instance, and nothing is written
// into the classes of the application.
const METHODS = new WeakMap<AnyFunction, Options>();
const TRANSACTIONAL = new WeakSet<AnyFunction>();
const NAMES = new WeakMap<object, string>();

/**
 * Exposes the methods of a class that `@RestMethod` marks as a service (contract/services.md#exposure). An instance
 * goes into `services` of the application.
 *
 * @param name name of the service in the URL; the class name with a lower-case first letter where it is left out
 *   (contract/decisions.md#67)
 * @throws TypeError for a blank name, and for no name of a class that has none itself
 */
export const RestService =
  (name?: string) =>
  (target: abstract new (...parameters: never[]) => object, context: ClassDecoratorContext): void => {
    const served = name ?? lowerFirst(context.name ?? '');
    if (served.trim() === '')
      throw new TypeError(
        name === undefined ? '@RestService needs a name for a class without one' : '@RestService needs a name',
      );
    NAMES.set(target, served);
  };

const lowerFirst = (name: string): string => name.slice(0, 1).toLowerCase() + name.slice(1);

/**
 * Exposes a method: types of the parameters and of the result, HTTP methods. The compiler checks the function
 * against them.
 *
 * ```ts
 * const TOTAL = { params: { orderId: t.uuid }, returns: t.decimal };
 *
 * @RestService('shop_Orders')
 * class Orders {
 *   @RestMethod(TOTAL)
 *   async total({ orderId }: ParametersOf<typeof TOTAL>, { data }: ServiceContext) { … }
 * }
 * ```
 */
export const RestMethod =
  <const P extends ParameterTypes = Readonly<Record<never, never>>, R extends ValueType<unknown> = ValueType<unknown>>(
    options: MethodOptions<P, R> = {},
  ) =>
  <T>(
    method: (this: T, ...parameters: Parameters<MethodFunction<P, R>>) => ReturnType<MethodFunction<P, R>>,
    context: ClassMethodDecoratorContext<T>,
  ): void => {
    if (context.static || context.private)
      throw new TypeError(`@RestMethod is for public methods of instances: ${String(context.name)}`);
    METHODS.set(method as unknown as AnyFunction, options as Options);
  };

/** Runs every call of the method in one transaction, which an exception rolls back. */
export const Transactional = <T>(method: AnyFunction, _context: ClassMethodDecoratorContext<T>): void => {
  TRANSACTIONAL.add(method);
};

/** Whether the value is an instance of a class with `@RestService`. */
export const isRestService = (value: object): boolean => NAMES.has(value.constructor);

/**
 * The service of an instance of an annotated class.
 *
 * @throws TypeError if its class has no `@RestService`
 */
export function serviceOf(instance: object): ServiceDefinition {
  const name = NAMES.get(instance.constructor);
  if (name === undefined) throw new TypeError(`The class ${instance.constructor.name} has no @RestService`);
  const methods = new Map<string, ServiceMethod>();
  for (
    let prototype: unknown = Object.getPrototypeOf(instance);
    isObject(prototype);
    prototype = Object.getPrototypeOf(prototype)
  ) {
    for (const [member, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      const options = typeof value === 'function' ? METHODS.get(value as AnyFunction) : undefined;
      // A method of a subclass hides the inherited one.
      if (options !== undefined && !methods.has(member))
        methods.set(member, boundMethod(instance, member, value as AnyFunction, options));
    }
  }
  return Object.freeze({ name, methods: [...methods.values()] });
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function boundMethod(instance: object, name: string, method: AnyFunction, options: Options): ServiceMethod {
  const transactional = options.transactional === true || TRANSACTIONAL.has(method);
  const call = method.bind(instance) as unknown as ServiceMethod['call'];
  return methodOf(name, { ...options, transactional }, call);
}
