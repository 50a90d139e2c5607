import {
  type ApplicationData,
  controller,
  defineApplication,
  loadQueries,
  predefinedQuery,
  RestError,
  restMethod,
  service,
  t,
} from '@lintel/application';
import {
  byteArray,
  compositionOfMany,
  date,
  dateTime,
  decimal,
  elements,
  embeddable,
  embedded,
  enumeration,
  enumOf,
  integer,
  keyedEntity,
  localDate,
  localDateTime,
  localTime,
  long,
  manyToMany,
  manyToManyInverse,
  offsetDateTime,
  offsetTime,
  softDeletedEntity,
  standardEntity,
  string,
  toMany,
  toOne,
} from '@lintel/metadata';
import type { DataSource } from '@lintel/persistence';
import { entityPolicy, modifyAttributes, queryPolicy, resourceRole, rowLevelRole } from '@lintel/security';

const Grade = enumeration('t.Grade', { LOW: 1, HIGH: 2 });

const City = keyedEntity('t_City', { key: 'code', attributes: { code: string(5), name: string(30) } });
/** Written only by the test of cached results, so that no event of another test invalidates them. */
const Badge = keyedEntity('t_Badge', { key: 'code', attributes: { code: string(5), name: string(30) } });
const Address = embeddable('t_Address', {
  attributes: { street: string(30), postOffice: string(20), city: toOne('t_City') },
});
const Customer = softDeletedEntity('t_Customer', {
  attributes: {
    name: string(30).mandatory(),
    grade: enumOf(Grade),
    points: integer().default(3),
    mainAddress: embedded('t_Address'),
    secretCode: string(20).secret(),
    orders: toMany('t_Order', 'customer'),
    nicknames: elements(20),
  },
});
const Order = standardEntity('t_Order', {
  attributes: {
    number: string(20).mandatory().unique(),
    amount: decimal(19, 2),
    customer: toOne('t_Customer'),
    lines: compositionOfMany('t_Line', 'order'),
    tags: manyToMany('t_Tag'),
  },
});
const Line = standardEntity('t_Line', {
  attributes: { order: toOne('t_Order').mandatory(), quantity: integer() },
});
const Tag = keyedEntity('t_Tag', {
  key: 'id',
  generation: 'identity',
  attributes: { id: long(), label: string(20), orders: manyToManyInverse('t_Order', 'tags') },
});
const Location = embeddable('t_Location', {
  attributes: { floor: integer().mandatory(), room: integer().mandatory() },
});
const Desk = keyedEntity('t_Desk', {
  key: 'location',
  attributes: { location: embedded('t_Location'), color: string(20) },
});
const Chair = standardEntity('t_Chair', { attributes: { desk: toOne('t_Desk') } });
const Vehicle = standardEntity('t_Vehicle', { attributes: { plate: string(20) }, abstract: true });
const Truck = standardEntity('t_Truck', { attributes: { load: integer() }, extends: 't_Vehicle' });
const Moments = standardEntity('t_Moments', {
  attributes: {
    day: localDate(),
    oldDay: date(),
    at: localDateTime(),
    oldAt: dateTime(),
    instant: offsetDateTime(),
    time: localTime(),
    zoned: offsetTime(),
    bytes: byteArray(),
    count: long(),
  },
});

const open = (data: ApplicationData): Promise<DataSource> => data.dataSource<DataSource>();

/** A function of a test, which a service method calls. */
export type Work = (data: ApplicationData, open: (data: ApplicationData) => Promise<DataSource>) => Promise<unknown>;

/** Functions of the next calls by name. */
export const WORK = new Map<string, Work>();

async function perform(name: string, data: ApplicationData): Promise<unknown> {
  const work = WORK.get(name);
  if (work === undefined) throw new RestError(404, 'No such work');
  return JSON.parse(JSON.stringify((await work(data, open)) ?? null));
}

const PARAMS = { params: { name: t.string }, returns: t.any };

const application = defineApplication({
  id: 't',
  name: 'TypeORM',
  enums: [Grade],
  entities: [City, Badge, Address, Customer, Order, Line, Tag, Location, Desk, Chair, Vehicle, Truck, Moments],
  services: [
    service('t_Work', {
      perform: restMethod(PARAMS, ({ name }, { data }) => perform(name, data)),
      together: restMethod({ ...PARAMS, transactional: true }, ({ name }, { data }) => perform(name, data)),
    }),
  ],
  queries: [
    predefinedQuery('t_Badge', 'cached', {
      text: 'select b.name as name from t_Badge b order by b.code',
      cacheable: true,
    }),
  ],
  controllers: [
    controller('GET', '/rest/t/:name', async ({ parameters, data }) => ({
      body: { result: await perform(String(parameters['name']), data) },
    })),
  ],
  roles: [
    resourceRole('reader', {
      name: 'Reader',
      childRoles: ['rest-minimal'],
      policies: [entityPolicy('*', 'all'), modifyAttributes('t_Order', '*')],
    }),
  ],
  rowLevelRoles: [rowLevelRole('few', { name: 'Few', policies: [queryPolicy('t_City', "{E}.code = 'BE'")] })],
});

/** An application whose service methods call functions of the test. */
export const shop = await loadQueries(application, [], () => Promise.reject(new Error('none')));
