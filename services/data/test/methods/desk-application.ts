import {
  defineApplication,
  loadServices,
  type ParametersOf,
  RestError,
  RestMethod,
  RestService,
  restMethod,
  type ServiceContext,
  service,
  serviceComponent,
  Transactional,
  t,
} from '@lintel/application';
import {
  compositionOfMany,
  decimal,
  dto,
  embeddable,
  embedded,
  enumeration,
  enumOf,
  integer,
  keyedEntity,
  localDate,
  long,
  softDeletedEntity,
  standardEntity,
  string,
  toMany,
  toOne,
} from '@lintel/metadata';
import {
  entityPolicy,
  modifyAttributes,
  queryPolicy,
  resourceRole,
  rowLevelRole,
  viewAttributes,
} from '@lintel/security';
import { errors, TeapotError } from './desk-errors.ts';

export const Kind = enumeration('d.Kind', { PLAIN: 1, FANCY: 2 });

const Address = embeddable('d_Address', { attributes: { city: string(30), street: string(30) } });
const Person = softDeletedEntity('d_Person', {
  attributes: {
    name: string(30).mandatory(),
    kind: enumOf(Kind),
    born: localDate(),
    limit: decimal(9, 2),
    address: embedded('d_Address'),
    password: string().secret(),
    tickets: toMany('d_Ticket', 'owner'),
  },
  instanceName: ['name'],
});
const Ticket = standardEntity('d_Ticket', {
  attributes: {
    title: string(30).mandatory(),
    price: decimal(9, 2).min(0),
    owner: toOne('d_Person'),
    notes: compositionOfMany('d_Note', 'ticket'),
  },
  instanceName: ['{title}', ' of ', '{owner}'],
});
const Note = standardEntity('d_Note', { attributes: { ticket: toOne('d_Ticket').mandatory(), text: string(30) } });
const Counter = keyedEntity('d_Counter', { key: 'number', attributes: { number: long(), hits: integer() } });
const Offer = dto('d_Offer', { attributes: { ticket: toOne('d_Ticket'), total: decimal(9, 2) } });

const SCALARS = {
  params: {
    string: t.string.optional(),
    boolean: t.boolean.optional(),
    short: t.short.optional(),
    int: t.int.optional(),
    long: t.long.optional(),
    bigInteger: t.bigInteger.optional(),
    float: t.float.optional(),
    double: t.double.optional(),
    decimal: t.decimal.optional(),
    uuid: t.uuid.optional(),
    localDate: t.localDate.optional(),
    localDateTime: t.localDateTime.optional(),
    localTime: t.localTime.optional(),
    offsetDateTime: t.offsetDateTime.optional(),
    offsetTime: t.offsetTime.optional(),
    dateTime: t.dateTime.optional(),
    date: t.date.optional(),
    time: t.time.optional(),
    fileRef: t.fileRef.optional(),
    uri: t.uri.optional(),
    byteArray: t.byteArray.optional(),
    kind: t.enum(Kind).optional(),
  },
  returns: t.object,
};

const RENAME = { params: { id: t.uuid, title: t.string.size(1, 30) }, returns: t.entity(Ticket) };
const TRANSFER = { params: { ids: t.list(t.uuid), fails: t.boolean.optional() } };
const VALIDATED = {
  params: { code: t.string.pattern(/[A-Z]+/).size(2, 4), born: t.localDate.past().optional() },
  returns: t.int.max(10),
};

/** Uses every feature of an annotated service. */
@RestService('d_Desk')
class Desk {
  readonly #greeting = 'Hello';

  @RestMethod({ params: { name: t.string }, returns: t.string })
  greet({ name }: { readonly name: string }): string {
    return `${this.#greeting} ${name}`;
  }

  @RestMethod(SCALARS)
  scalars(parameters: ParametersOf<typeof SCALARS>) {
    return parameters;
  }

  @RestMethod(RENAME)
  async rename({ id, title }: ParametersOf<typeof RENAME>, { data }: ServiceContext) {
    await data.update('d_Ticket', id, { title });
    return data.load('d_Ticket', id);
  }

  @RestMethod({ ...TRANSFER, methods: ['POST'] })
  @Transactional
  async touchAll({ ids, fails }: ParametersOf<typeof TRANSFER>, { data }: ServiceContext) {
    for (const id of ids) await data.update('d_Ticket', id, { title: 'touched' });
    if (fails === true) throw new RestError(409, 'Not today', 'Come back tomorrow');
  }

  @RestMethod(VALIDATED)
  validated({ code }: ParametersOf<typeof VALIDATED>) {
    return code.length * 4;
  }

  notExposed(): string {
    return 'never seen';
  }
}

/** An error that an error handler of the application converts to a response. */
const results = service('d_Results', {
  nothing: restMethod({}, () => undefined),
  nullText: restMethod({ returns: t.string }, () => null),
  text: restMethod({ returns: t.string }, () => 'plain "text" <&>'),
  int: restMethod({ returns: t.int }, () => 7),
  long: restMethod({ returns: t.long }, () => '9007199254740993'),
  decimal: restMethod({ returns: t.decimal }, () => '10.50'),
  double: restMethod({ returns: t.double }, () => 1.234),
  boolean: restMethod({ returns: t.boolean }, () => false),
  uuid: restMethod({ returns: t.uuid }, () => '0D000000-0000-4000-8000-000000000001'),
  localDate: restMethod({ returns: t.localDate }, () => '2026-02-03'),
  localTime: restMethod({ returns: t.localTime }, () => '10:20'),
  dateTime: restMethod({ returns: t.dateTime }, () => '2026-02-03T04:05'),
  offsetDateTime: restMethod({ returns: t.offsetDateTime }, () => '2026-02-03T04:05:06+01:00'),
  fileRef: restMethod({ returns: t.fileRef }, () => 'fs://2026/01/a.txt?name=a.txt'),
  bytes: restMethod({ returns: t.byteArray }, () => 'AQID'),
  kind: restMethod({ returns: t.enum(Kind) }, () => 'FANCY' as const),
  undeclaredText: restMethod({ returns: t.any }, () => 'as it is'),
  undeclaredNumber: restMethod({ returns: t.any }, () => 12n),
  undeclaredDate: restMethod({ returns: t.any }, () => new Date('2026-02-03T04:05:06.007Z')),
  valueText: restMethod({}, () => 'as it is'),
  valueObject: restMethod({}, () => ({ a: 1, b: null })),
  valueTicket: restMethod({}, (_none, { data }) =>
    data.unconstrained().loadList('d_Ticket', { sort: 'title', limit: 1 }),
  ),
  ticket: restMethod(
    { params: { id: t.uuid, plan: t.string.optional() }, returns: t.entity(Ticket) },
    ({ id, plan }, { data }) =>
      data.unconstrained().load('d_Ticket', id, plan === undefined ? {} : { fetchPlan: plan }),
  ),
  tickets: restMethod({ returns: t.list(t.entity(Ticket)) }, (_none, { data }) =>
    data.unconstrained().loadList('d_Ticket', { sort: 'title' }),
  ),
  undeclaredTickets: restMethod({ returns: t.any }, (_none, { data }) =>
    data.unconstrained().loadList('d_Ticket', { sort: 'title' }),
  ),
  person: restMethod({ params: { id: t.uuid }, returns: t.entity(Person) }, ({ id }, { data }) =>
    data.unconstrained().load('d_Person', id),
  ),
  personWithAll: restMethod({ params: { id: t.uuid }, returns: t.entity(Person) }, ({ id }, { data }) =>
    data.unconstrained().load('d_Person', id, { dynamicAttributes: true }),
  ),
  ring: restMethod({ params: { id: t.uuid }, returns: t.entity(Person) }, async ({ id }) => {
    const person = { id, name: 'Ring' } as Record<string, unknown>;
    person['tickets'] = [{ id, title: 'T', owner: person }];
    return person;
  }),
  counter: restMethod({ returns: t.entity(Counter) }, () => ({ number: '9007199254740993', hits: 2 })),
  offer: restMethod({ params: { id: t.uuid }, returns: t.entity(Offer) }, async ({ id }, { data }) => ({
    ticket: (await data.unconstrained().load('d_Ticket', id)) ?? null,
    total: '12.30',
  })),
  box: restMethod({ params: { id: t.uuid }, returns: t.object }, async ({ id }, { data }) => ({
    ticket: await data.unconstrained().load('d_Ticket', id),
    empty: null,
    big: 12345678901234567890n,
    at: new Date('2026-02-03T04:05:06.007Z'),
    bytes: new Uint8Array([1, 2, 3]),
    map: new Map([
      ['a', 1],
      ['gone', null as never],
    ]),
    list: [1, null, 'x'],
  })),
  numbers: restMethod({ returns: t.list(t.decimal) }, () => ['1.10', '2.200']),
  record: restMethod({ returns: t.record({ total: t.decimal, day: t.localDate.optional() }) }, () => ({
    total: '0.10',
  })),
  wrong: restMethod({ returns: t.int }, () => 'no number' as never),
});

const parameters = service('d_Parameters', {
  echo: restMethod({ params: { value: t.any }, returns: t.any }, ({ value }) => value),
  need: restMethod({ params: { text: t.string }, returns: t.string }, ({ text }) => text),
  both: restMethod(
    { params: { a: t.int, b: t.int.optional() }, returns: t.string },
    ({ a, b }) => `${a} ${b ?? 'none'}`,
  ),
  person: restMethod({ params: { person: t.entity(Person) }, returns: t.object }, ({ person }) => ({
    ...person,
    _entityName: undefined,
    was: person['_entityName' as never],
  })),
  people: restMethod({ params: { people: t.list(t.entity(Person)) }, returns: t.object }, ({ people }) => ({
    names: people.map(({ name }) => name),
  })),
  counter: restMethod({ params: { counter: t.entity(Counter) }, returns: t.string }, ({ counter }) =>
    String(counter.id),
  ),
  object: restMethod({ params: { box: t.object }, returns: t.object }, ({ box }) => box),
  days: restMethod({ params: { days: t.list(t.localDate) }, returns: t.string }, ({ days }) => days.join(' ')),
  record: restMethod(
    { params: { line: t.record({ price: t.decimal, day: t.localDate.optional() }) }, returns: t.string },
    ({ line }) => `${line.price} ${line.day ?? 'no day'}`,
  ),
});

/** Calls of `raise`: whether each is a rehearsal. */
export const RAISED: boolean[] = [];

const facade = service('d_Facade', {
  who: restMethod({ returns: t.object }, (_none, { username, locale, userAttributes, isPermitted }) => ({
    username,
    locale,
    userAttributes,
    rest: isPermitted('rest.enabled'),
    other: isPermitted('d.other'),
  })),
  create: restMethod(
    { params: { title: t.string, price: t.decimal }, returns: t.uuid },
    async ({ title, price }, { data }) =>
      String(await data.create('d_Ticket', { title, price, notes: [{ text: 'first' }] })),
  ),
  save: restMethod({ params: { ticket: t.entity(Ticket) }, returns: t.string }, async ({ ticket }, { data }) =>
    String(await data.save('d_Ticket', ticket)),
  ),
  raise: restMethod(
    { params: { id: t.uuid, by: t.string.optional() }, returns: t.string, transactional: true, rehearsable: true },
    async ({ id, by }, { data, session, fileTicket, isDryRun }) => {
      RAISED.push(isDryRun);
      if (by === 'session') await session.set('till', 1);
      if (by === 'ticket') await fileTicket('fs://2026/01/01/a.txt?name=a.txt');
      await data.update('d_Ticket', id, { price: 99 });
      const ticket = await data.load('d_Ticket', id);
      if (by === 'error') throw new RestError(409, 'Too late', 'Come back tomorrow');
      return String(ticket?.['price']);
    },
  ),
  remove: restMethod({ params: { id: t.uuid } }, ({ id }, { data }) => data.remove('d_Ticket', id)),
  count: restMethod({ params: { from: t.decimal }, returns: t.int }, ({ from }, { data }) =>
    data.count('d_Ticket', { filter: { conditions: [{ property: 'price', operator: '>=', value: from }] } }),
  ),
  page: restMethod(
    { params: { offset: t.int, limit: t.int }, returns: t.list(t.entity(Ticket)) },
    ({ offset, limit }, { data }) => data.loadList('d_Ticket', { sort: 'title', offset, limit }),
  ),
  ownPeople: restMethod({ returns: t.list(t.entity(Person)) }, (_none, { data }) =>
    data.loadList('d_Person', { sort: 'name' }),
  ),
  allPeople: restMethod({ returns: t.list(t.entity(Person)) }, (_none, { data }) =>
    data.unconstrained().loadList('d_Person', { sort: 'name' }),
  ),
  two: restMethod({ params: { fails: t.boolean } }, async ({ fails }, { data }) => {
    await data.inTransaction(async (within) => {
      await within.create('d_Ticket', { title: 'one' });
      if (
        (await within.count('d_Ticket', {
          filter: { conditions: [{ property: 'title', operator: '=', value: 'one' }] },
        })) !== 1
      )
        throw new Error('A transaction sees what it wrote');
      if (fails) throw new RestError(400, 'Rolled back');
      await within.unconstrained().create('d_Ticket', { title: 'two' });
    });
  }),
  serialized: restMethod(
    { params: { id: t.uuid, skip: t.boolean }, returns: t.string },
    async ({ id, skip }, { data, serializer }) =>
      serializer.toJson('d_Person', await data.unconstrained().load('d_Person', id), { skipDenied: skip }),
  ),
});

const component = serviceComponent('d_Component', {
  sum: ({ a, b, c }: { readonly a: number; readonly b: number; readonly c?: number }) => a + b + (c ?? 0),
  untyped: ({ a, b }: { readonly a: unknown; readonly b: unknown }) => ({ a, b }),
  hidden: () => 'not exposed',
});

const XML = `<services>
  <service name="d_Component">
    <method name="sum"><param name="a" type="int"/><param name="b" type="int"/></method>
    <method name="sum" httpMethod="get">
      <param name="a" type="int"/><param name="b" type="int"/><param name="c" type="java.lang.Integer"/>
    </method>
    <method name="untyped" httpMethod="POST" anonymousAllowed="true"><param name="a"/><param name="b" required="false"/></method>
    <method name="ambiguous"><param name="a" type="int"/></method>
    <method name="ambiguous"><param name="b" type="int" required="false"/></method>
  </service>
</services>`;

/** An application with a service for each row of the contract's page on services. */
export const desk = await loadServices(
  defineApplication({
    id: 'd',
    name: 'Desk',
    enums: [Kind],
    sessionAttributes: { till: 'int' },
    entities: [Address, Person, Ticket, Note, Counter, Offer],
    services: [
      new Desk(),
      results,
      parameters,
      errors,
      facade,
      serviceComponent('d_Component', { ...component.functions, ambiguous: () => 'which?' }),
    ],
    errorHandlers: [
      (error) =>
        error instanceof TeapotError
          ? { status: 418, body: { error: "I'm a teapot", details: 'Server is not a coffee machine' } }
          : undefined,
    ],
    roles: [
      resourceRole('reader', {
        name: 'Reader',
        childRoles: ['rest-minimal'],
        policies: [
          entityPolicy('d_Ticket', 'read', 'update'),
          viewAttributes('d_Ticket', 'title', 'owner'),
          modifyAttributes('d_Ticket', 'title'),
          viewAttributes('d_Person', 'name', 'address'),
          entityPolicy('d_Person', 'read'),
          entityPolicy('d_Address', 'read'),
          viewAttributes('d_Address', 'city'),
          viewAttributes('d_Offer', '*'),
        ],
      }),
      resourceRole('visitor', {
        name: 'Visitor',
        childRoles: ['rest-minimal'],
        policies: [
          entityPolicy('d_Person', 'read'),
          viewAttributes('d_Person', 'name', 'address'),
          viewAttributes('d_Address', '*'),
          viewAttributes('d_Counter', 'hits'),
        ],
      }),
      resourceRole('stranger', {
        name: 'Stranger',
        childRoles: ['rest-minimal'],
        policies: [viewAttributes('d_Ticket', '*'), viewAttributes('d_Offer', 'ticket')],
      }),
    ],
    rowLevelRoles: [
      rowLevelRole('own-kind', {
        name: 'Own kind',
        policies: [queryPolicy('d_Person', '{E}.name = :current_user_username')],
      }),
    ],
  }),
  ['services.xml'],
  async () => XML,
);
