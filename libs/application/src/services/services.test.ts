import { enumeration, standardEntity, string } from '@lintel/metadata';
import { defineApplication } from '../define-application.ts';
import { ApplicationError } from '../invalid-application.ts';
import { loadServices } from './config/load-services.ts';
import { RestMethod, RestService, serviceOf, Transactional } from './rest-service.ts';
import { type ParametersOf, restMethod, service } from './service.ts';
import { serviceComponent } from './service-component.ts';
import type { ServiceContext } from './service-context.ts';
import { t } from './value-type.ts';

const CONTEXT = {} as ServiceContext;
const TOTAL = { params: { id: t.uuid, rate: t.decimal.optional() }, returns: t.decimal };

@RestService('s_Base')
class Base {
  readonly #factor = 2;

  @RestMethod(TOTAL)
  total({ id, rate }: ParametersOf<typeof TOTAL>): string {
    return `${id} ${rate ?? 'none'} ${this.#factor}`;
  }

  @RestMethod({ methods: ['POST'] })
  @Transactional
  change(): void {}

  hidden(): string {
    return 'hidden';
  }
}

@RestService('s_Derived')
class Derived extends Base {
  @RestMethod({ returns: t.string })
  more(): string {
    return 'more';
  }
}

@RestService()
class OrderDesk {
  @RestMethod()
  count(): number {
    return 3;
  }
}

const summary = (of: object) =>
  serviceOf(of).methods.map(({ name, httpMethods, transactional, parameters }) => [
    name,
    httpMethods,
    transactional,
    parameters.map((parameter) => parameter.name),
  ]);

// Asserts contract/services.md#exposure.
test('an annotated class exposes its marked methods and nothing else', () => {
  expect(summary(new Base())).toEqual([
    ['total', undefined, false, ['id', 'rate']],
    ['change', ['POST'], true, []],
  ]);
});

// Asserts contract/decisions.md#67.
test('a service without a name has that of its class with a lower-case first letter', () => {
  const { name, methods } = serviceOf(new OrderDesk());
  expect([name, methods.map((method) => method.name)]).toEqual(['orderDesk', ['count']]);
});

// Asserts contract/decisions.md#67.
test('a class without a name needs one for its service', () => {
  const context = { kind: 'class', name: undefined } as ClassDecoratorContext;
  expect(() => RestService()(class {}, context)).toThrow('@RestService needs a name for a class without one');
  expect(() => RestService(' ')(class {}, context)).toThrow('@RestService needs a name');
});

// Asserts contract/decisions.md#67.
test('a method without a declared result answers by the value it returns', () => {
  const [method] = serviceOf(new OrderDesk()).methods;
  expect(method?.returns.form).toEqual({ kind: 'any' });
});

// Asserts contract/services.md#exposure.
test('methods keep their instance, and a subclass has those of its ancestor', () => {
  const { name, methods } = serviceOf(new Derived());
  expect([name, methods.map((method) => method.name)]).toEqual(['s_Derived', ['more', 'total', 'change']]);
  expect(methods.find((method) => method.name === 'total')?.call({ id: 'x' }, CONTEXT)).toBe('x none 2');
});

// Asserts contract/services.md#exposure.
test('the builder takes the same object and infers the types of the parameters', () => {
  const { methods } = service('s_Built', {
    total: restMethod(TOTAL, ({ id, rate }) => `${id.toUpperCase()} ${rate?.length ?? 0}`),
    sum: [
      restMethod({ params: { a: t.int }, returns: t.int }, ({ a }) => a),
      restMethod({ params: { a: t.int, b: t.int }, returns: t.int }, ({ a, b }) => a + b),
    ],
  });
  expect(methods.map(({ name, parameters }) => [name, parameters.length])).toEqual([
    ['total', 2],
    ['sum', 1],
    ['sum', 2],
  ]);
  expect(methods[0]?.call({ id: 'x', rate: '1.5' }, CONTEXT)).toBe('X 3');
});

// Asserts contract/services.md#exposure.
test('a function that does not fit its declaration is refused by the compiler', () => {
  // @ts-expect-error the result is no text
  restMethod({ returns: t.string }, () => 7);
  // @ts-expect-error there is no such parameter
  restMethod({ params: { a: t.int } }, ({ b }) => b);
  class Wrong {
    // @ts-expect-error the parameter is a number
    @RestMethod({ params: { a: t.int } })
    wrong({ a }: { readonly a: string }): void {
      expect(a).toBeDefined();
    }
  }
  expect(Wrong).toBeDefined();
});

const problemsOf = (services: readonly object[]) => () =>
  defineApplication({
    id: 's',
    name: 'S',
    entities: [standardEntity('s_A', { attributes: { n: string() } })],
    services,
  });

test.each<[string, readonly object[], string]>([
  [
    'two services of one name',
    [new Base(), service('s_Base', {})],
    'Two services have the name s_Base: services[0] (class Base) and services[1]',
  ],
  [
    'methods that no request can tell apart',
    [
      service('s', {
        m: [
          restMethod({ params: { a: t.int } }, () => {}),
          restMethod({ methods: ['GET'], params: { a: t.string.optional() } }, () => {}),
        ],
      }),
    ],
    'Service s, services[0]: methods 1 and 2 are ambiguous: both are m with the same parameters',
  ],
  ['an instance of any class', [new Date()], 'an instance of Date is none of a class with @RestService'],
  [
    'an unknown entity',
    [service('s', { m: restMethod({ params: { a: t.list(t.entity('s_No')) } }, () => {}) })],
    'Service method s.m names the unknown entity s_No',
  ],
  [
    'an unknown enum',
    [
      // Asserts contract/decisions.md#66, contract/services.md#exposure.
      service('s', {
        m: restMethod({ params: { a: t.record({ b: t.enum(enumeration('s.No', { A: 1 })) }) } }, () => {}),
      }),
    ],
    'Service method s.m names the unknown enum s.No',
  ],
  ['a blank parameter', [service('s', { m: restMethod({ params: { ' ': t.int } }, () => {}) })], 'without a name'],
  ['no HTTP method', [service('s', { m: restMethod({ methods: [] }, () => {}) })], 'can be called by no HTTP method'],
  [
    'two components of one name',
    [serviceComponent('s', {}), serviceComponent('s', {})],
    'Two service components have the name s',
  ],
])('%s stops the start', (_, services, message) => {
  expect(problemsOf(services)).toThrow(ApplicationError);
  expect(problemsOf(services)).toThrow(message);
});

// Asserts contract/services.md#exposure.
test('a service of the code replaces the one of a file', async () => {
  const component = serviceComponent('s_Base', { other: () => 'other' });
  const application = problemsOf([new Base(), component])();
  const xml = '<services><service name="s_Base"><method name="other"/></service></services>';
  const loaded = await loadServices(application, ['s.xml'], async () => xml);
  expect(loaded.restServices.get('s_Base')?.methods.map(({ name }) => name)).toEqual(['total', 'change']);
});

// Asserts contract/services.md#rehearsal.
test('a rehearsable method must be transactional', () => {
  const rehearsable = restMethod({ rehearsable: true }, () => undefined);
  expect(() => service('s', { rehearsable })).toThrow('The method rehearsable is rehearsable, but not transactional');
  const both = restMethod({ rehearsable: true, transactional: true }, () => undefined);
  expect(service('s', { both }).methods).toEqual([expect.objectContaining({ rehearsable: true, transactional: true })]);
});
