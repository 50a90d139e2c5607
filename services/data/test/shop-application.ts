import { defineApplication, type EntityListener, entityListener } from '@lintel/application';
import {
  boolean,
  byteArray,
  compositionOfMany,
  compositionOfOne,
  dateTime,
  decimal,
  double,
  dto,
  elements,
  embeddable,
  embedded,
  enumeration,
  enumOf,
  fileRef,
  integer,
  keyedEntity,
  localDate,
  localDateTime,
  localTime,
  long,
  manyToMany,
  manyToManyInverse,
  offsetDateTime,
  softDeletedEntity,
  standardEntity,
  string,
  text,
  toMany,
  toOne,
  uri,
  uuid,
} from '@lintel/metadata';
import {
  entityPolicy,
  modifyAttributes,
  queryPolicy,
  resourceRole,
  rowLevelRole,
  viewAttributes,
} from '@lintel/security';

const State = enumeration('t.State', { OPEN: 10, CLOSED: 40 });
const Grade = enumeration('t.Grade', { BRONZE: 'B', GOLD: 'G' });

/** Calls of listeners, the latest last; tests clear it. */
export const SEEN: string[] = [];

const orderListener: EntityListener = entityListener({
  entity: 't_Order',
  beforeSave: async ({ change, after }, { isDryRun }) => {
    SEEN.push(`beforeSave ${change}${isDryRun ? ' in a rehearsal' : ''}`);
    if (after?.['notes'] === 'explode') throw new Error('listener failed');
    return after?.['notes'] === 'tidy me' ? { notes: 'tidied' } : undefined;
  },
  afterSave: async ({ change, id }, { data }) => {
    SEEN.push(`afterSave ${change}`);
    if (change === 'deleted') return;
    const order = await data.load('t_Order', id, {
      fetchPlan: {
        entity: 't_Order',
        properties: ['total', { name: 'lines', fetchPlan: { properties: ['quantity'] } }],
      },
    });
    const lines = (order?.['lines'] ?? []) as readonly { readonly quantity: string }[];
    const total = lines.reduce((sum, line) => sum + Number(line.quantity), 0).toFixed(2);
    if (order?.['total'] !== total) await data.update('t_Order', id, { total });
  },
  beforeDelete: async () => {
    SEEN.push('beforeDelete');
  },
});

/** An application with every kind of entity and attribute that the write pipeline supports. */
export const shop = defineApplication({
  id: 't',
  name: 'Test shop',
  enums: [State, Grade],
  entities: [
    embeddable('t_Address', { attributes: { country: string(2), city: string(30), zip: string(10).pattern(/\d+/) } }),
    standardEntity('t_Category', {
      attributes: { code: string(20).mandatory().unique(), name: string(50) },
      instanceName: ['code'],
    }),
    softDeletedEntity('t_Customer', {
      attributes: {
        name: string(50).mandatory(),
        email: string(100).email(),
        grade: enumOf(Grade),
        active: boolean().default(true),
        birthDate: localDate().past(),
        limit: decimal(9, 2).min(0),
        address: embedded('t_Address'),
        category: toOne('t_Category'),
        orders: toMany('t_Order', 'customer'),
        favourites: toMany('t_Product', 'fan'),
        tags: elements(5),
        secretNote: string().secret(),
      },
      instanceName: ['name'],
    }),
    softDeletedEntity('t_Order', {
      attributes: {
        number: string(10).mandatory().unique(),
        state: enumOf(State).mandatory().default('OPEN'),
        customer: toOne('t_Customer').mandatory().onTargetDelete('DENY'),
        lines: compositionOfMany('t_Line', 'order'),
        delivery: compositionOfOne('t_Delivery'),
        notes: text(),
        total: decimal(9, 2),
      },
      instanceName: ['number'],
      rules: [
        {
          message: 'Closed order must have lines',
          dependsOn: ['state', 'lines'],
          test: ({ state, lines }) => state !== 'CLOSED' || (Array.isArray(lines) && lines.length > 0),
        },
      ],
    }),
    standardEntity('t_Line', {
      attributes: {
        order: toOne('t_Order').mandatory(),
        product: toOne('t_Product'),
        quantity: decimal(9, 2).mandatory().positive(),
        position: integer(),
        discounts: compositionOfMany('t_Discount', 'line'),
      },
    }),
    standardEntity('t_Discount', {
      attributes: { line: toOne('t_Line').mandatory(), percent: decimal(5, 2).mandatory().min(0).max(100) },
    }),
    standardEntity('t_Delivery', { attributes: { carrier: string(20).notBlank(), address: embedded('t_Address') } }),
    softDeletedEntity('t_Product', {
      attributes: {
        name: string(50).mandatory(),
        tags: manyToMany('t_Tag'),
        fan: toOne('t_Customer').onTargetDelete('UNLINK'),
        owner: toOne('t_Company').onTargetDelete('CASCADE'),
      },
      instanceName: ['name'],
    }),
    standardEntity('t_Tag', {
      attributes: { name: string(20).mandatory().unique(), products: manyToManyInverse('t_Product', 'tags') },
      instanceName: ['name'],
    }),
    standardEntity('t_Everything', {
      attributes: {
        text: text(),
        shortText: string(5),
        number: integer(),
        big: long(),
        ratio: double(),
        money: decimal(19, 4),
        flag: boolean(),
        ident: uuid(),
        day: localDate(),
        moment: localDateTime(),
        instant: offsetDateTime(),
        stamp: dateTime(),
        clock: localTime(),
        bytes: byteArray(),
        file: fileRef(),
        link: uri(),
        state: enumOf(State),
        grade: enumOf(Grade),
        later: localDate().future('Must be in the future'),
        even: integer().check((value) => Number(value) % 2 === 0, 'Epic fail'),
        fixed: string(20).readOnly(),
        unstored: string(20).transient(),
      },
    }),
    embeddable('t_RateKey', { attributes: { currency: string(3).mandatory(), validOn: localDate().mandatory() } }),
    keyedEntity('t_Rate', { key: 'id', attributes: { id: embedded('t_RateKey'), rate: decimal(9, 4).mandatory() } }),
    keyedEntity('t_Warehouse', {
      key: 'code',
      attributes: { code: string(10).size(2, 10), name: string(50).mandatory() },
      instanceName: ['name'],
    }),
    keyedEntity('t_Movement', {
      key: 'id',
      generation: 'identity',
      attributes: { id: long(), warehouse: toOne('t_Warehouse').mandatory(), quantity: integer().mandatory() },
    }),
    standardEntity('t_Party', { abstract: true, attributes: { name: string(50).mandatory() }, instanceName: ['name'] }),
    standardEntity('t_Company', { extends: 't_Party', attributes: { vat: string(20) } }),
    standardEntity('t_Person', { extends: 't_Party', attributes: { birthDate: localDate() } }),
    dto('t_Quote', { attributes: { total: decimal(9, 2) } }),
  ],
  roles: [
    resourceRole('clerk', {
      name: 'Clerk',
      childRoles: ['rest-minimal'],
      policies: [
        entityPolicy('t_Customer', 'read', 'update', 'create'),
        entityPolicy('t_Order', 'read', 'update', 'create'),
        entityPolicy('t_Category', 'create', 'update', 'delete'),
        viewAttributes('t_Customer', 'name', 'email'),
        modifyAttributes('t_Customer', 'name', 'email', 'address'),
        modifyAttributes('t_Address', 'city'),
        viewAttributes('t_Order', '*'),
        modifyAttributes('t_Order', 'number', 'notes', 'customer', 'lines'),
        modifyAttributes('t_Line', '*'),
        modifyAttributes('t_Category', 'code'),
      ],
    }),
  ],
  rowLevelRoles: [
    rowLevelRole('own-country', {
      name: 'Own country',
      policies: [queryPolicy('t_Customer', '{E}.address.country = :current_user_country')],
    }),
    rowLevelRole('small-orders', {
      name: 'Small orders',
      policies: [
        {
          kind: 'predicate',
          entity: 't_Line',
          actions: ['create', 'update'],
          dependsOn: ['quantity', 'order.number'],
          test: ({ quantity, order }) =>
            Number(quantity) <= 10 || (order as { number?: string } | null)?.number === 'BIG',
        },
        {
          kind: 'predicate',
          entity: 't_Order',
          actions: ['delete'],
          dependsOn: ['state'],
          test: ({ state }) => state === 'OPEN',
        },
      ],
    }),
  ],
  listeners: [orderListener],
});
