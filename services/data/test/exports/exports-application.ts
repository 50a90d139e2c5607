import { defineApplication, predefinedQuery } from '@lintel/application';
import {
  boolean,
  byteArray,
  compositionOfMany,
  dateTime,
  decimal,
  double,
  elements,
  embeddable,
  embedded,
  enumeration,
  enumOf,
  float,
  integer,
  json,
  keyedEntity,
  localDate,
  localTime,
  long,
  offsetDateTime,
  softDeletedEntity,
  standardEntity,
  string,
  text,
  toOne,
  uri,
  uuid,
} from '@lintel/metadata';
import { entityPolicy, queryPolicy, resourceRole, rowLevelRole, viewAttributes } from '@lintel/security';

const State = enumeration('x.State', { OPEN: 10, CLOSED: 20 });

/** Entities whose rows are exported and imported. */
export const exportsApplication = defineApplication({
  id: 'x',
  name: 'Exports',
  enums: [State],
  entities: [
    embeddable('x_Address', { attributes: { country: string(2), city: text() } }),
    softDeletedEntity('x_Kind', {
      attributes: { code: string(20).mandatory().unique(), name: text() },
      instanceName: ['code'],
      accessLog: true,
    }),
    keyedEntity('x_Country', { key: 'code', attributes: { code: string(2), name: string(50).mandatory() } }),
    standardEntity('x_Item', {
      attributes: {
        title: text(),
        number: integer(),
        big: long(),
        ratio: double(),
        part: float(),
        money: decimal(19, 4).min(0),
        flag: boolean(),
        ident: uuid(),
        day: localDate(),
        instant: offsetDateTime(),
        stamp: dateTime(),
        clock: localTime(),
        bytes: byteArray(),
        link: uri(),
        state: enumOf(State),
        email: string(50).personal(),
        country: toOne('x_Country'),
        address: embedded('x_Address'),
        tags: elements(20),
        extra: json(),
        lines: compositionOfMany('x_Line', 'item'),
      },
      instanceName: ['title'],
    }),
    standardEntity('x_Line', {
      attributes: { item: toOne('x_Item').mandatory(), label: text(), kind: toOne('x_Kind') },
    }),
  ],
  roles: [
    resourceRole('titles', {
      name: 'Titles of items',
      childRoles: ['rest-minimal'],
      policies: [entityPolicy('x_Item', 'read'), viewAttributes('x_Item', 'title', 'email', 'number')],
    }),
  ],
  rowLevelRoles: [
    rowLevelRole('by-code', {
      name: 'Rows that code sees',
      policies: [
        { kind: 'predicate', entity: 'x_Item', actions: ['read'], dependsOn: ['number'], test: () => true },
        { kind: 'predicate', entity: 'x_Line', actions: ['read'], dependsOn: ['label'], test: () => true },
      ],
    }),
    rowLevelRole('small', { name: 'Small', policies: [queryPolicy('x_Item', '{E}.number < 3')] }),
  ],
  queries: [
    predefinedQuery('x_Item', 'values', {
      text: 'select i.title as title, i.money as money from x_Item i order by i.number',
    }),
    predefinedQuery('x_Item', 'two', {
      text: 'select i from x_Item i order by i.number',
      ...{ cacheable: true, limit: 2, fetchPlan: '_local' },
    }),
  ],
});
