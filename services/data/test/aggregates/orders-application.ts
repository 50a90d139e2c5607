import { defineApplication } from '@lintel/application';
import {
  compositionOfMany,
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
  offsetDateTime,
  softDeletedEntity,
  standardEntity,
  string,
  toMany,
  toOne,
} from '@lintel/metadata';
import { entityPolicy, queryPolicy, resourceRole, rowLevelRole, viewAttributes } from '@lintel/security';

const Status = enumeration('g.Status', { NEW: 'n', SHIPPED: 's' });

/** Orders with lines, of customers that a row rule may hide. */
export const orders = defineApplication({
  id: 'g',
  name: 'Orders',
  enums: [Status],
  entities: [
    softDeletedEntity('g_Customer', {
      attributes: { name: string(50), credit: integer(), orders: toMany('g_Order', 'customer') },
      instanceName: ['name'],
    }),
    softDeletedEntity('g_Order', {
      attributes: {
        number: string(20),
        status: enumOf(Status),
        day: localDate(),
        placedAt: offsetDateTime(),
        changedAt: localDateTime(),
        amount: decimal(19, 2),
        weight: integer(),
        customer: toOne('g_Customer'),
        rate: toOne('g_Rate'),
        tags: elements(10),
        lines: compositionOfMany('g_Line', 'order'),
      },
      instanceName: ['number'],
    }),
    standardEntity('g_Line', { attributes: { order: toOne('g_Order').mandatory(), quantity: decimal(9, 3) } }),
    standardEntity('g_Salary', {
      minimumGroup: 3,
      attributes: {
        team: string(10),
        day: localDate(),
        amount: integer(),
        above: toOne('g_Salary'),
        note: toOne('g_Note'),
      },
    }),
    standardEntity('g_Note', { attributes: { salaries: toMany('g_Salary', 'note') } }),
    embeddable('g_RateKey', { attributes: { currency: string(3), day: localDate() } }),
    keyedEntity('g_Rate', { key: 'id', attributes: { id: embedded('g_RateKey') } }),
  ],
  roles: [
    resourceRole('reader', {
      name: 'Reader',
      childRoles: ['rest-minimal'],
      policies: [
        ...['g_Customer', 'g_Order', 'g_Line'].map((entity) => entityPolicy(entity, 'read')),
        viewAttributes('g_Customer', 'name', 'orders'),
        viewAttributes('g_Order', 'number', 'status', 'day', 'weight', 'customer', 'lines'),
        viewAttributes('g_Line', 'order'),
      ],
    }),
    resourceRole('nameless', {
      name: 'Reader of nameless customers',
      childRoles: ['rest-minimal'],
      policies: [
        ...['g_Customer', 'g_Order'].map((entity) => entityPolicy(entity, 'read')),
        viewAttributes('g_Order', 'customer'),
      ],
    }),
  ],
  rowLevelRoles: [
    rowLevelRole('shown', {
      name: 'Shown customers',
      policies: [queryPolicy('g_Customer', "{E}.name <> 'hidden'"), queryPolicy('g_Line', '{E}.quantity < 50')],
    }),
    rowLevelRole('by-code', {
      name: 'By code',
      policies: [{ kind: 'predicate', entity: 'g_Line', actions: ['read'], dependsOn: ['quantity'], test: () => true }],
    }),
  ],
});
