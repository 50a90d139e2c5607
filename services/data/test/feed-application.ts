import { defineApplication, event, restMethod, service, t } from '@lintel/application';
import {
  embeddable,
  embedded,
  enumeration,
  enumOf,
  integer,
  keyedEntity,
  long,
  softDeletedEntity,
  standardEntity,
  string,
} from '@lintel/metadata';
import {
  entityPolicy,
  modifyAttributes,
  queryPolicy,
  resourceRole,
  rowLevelRole,
  specificPolicy,
  viewAttributes,
} from '@lintel/security';

const STATUS = enumeration('f.Status', { OPEN: 'O', DONE: 'D' });

const sent = event<{ text: string }>('f.note-sent.v1', {
  type: 'object',
  properties: { text: { type: 'string' } },
});

/** Entities of the feed of changes: with row-level rules of both kinds, hidden attributes, and keys of every form. */
export const feedApplication = defineApplication({
  id: 'f',
  name: 'Followed',
  entities: [
    softDeletedEntity('f_Note', {
      attributes: {
        text: string(50),
        owner: string(20),
        size: integer(),
        secretNote: string(20),
        status: enumOf(STATUS),
      },
    }),
    standardEntity('f_Other', { attributes: { name: string(20) } }),
    embeddable('f_Key', { attributes: { part: string(10).mandatory(), number: long().mandatory() } }),
    keyedEntity('f_Keyed', { key: 'id', attributes: { id: embedded('f_Key'), name: string(20) } }),
    keyedEntity('f_Long', { key: 'id', attributes: { id: long(), name: string(20) } }),
  ],
  enums: [STATUS],
  events: [sent],
  services: [
    service('f_Notes', {
      send: restMethod({ params: { subject: t.string, text: t.string }, methods: ['POST'] }, async (args, { data }) => {
        await data.events.publish(sent, args.subject, { text: args.text });
      }),
    }),
  ],
  roles: [
    resourceRole('receiver', {
      name: 'Receiver',
      childRoles: ['rest-minimal'],
      policies: [specificPolicy('events.read.f.note-sent.v1')],
    }),
    resourceRole('viewer', {
      name: 'Viewer',
      childRoles: ['rest-minimal'],
      policies: [entityPolicy('f_Note', 'read'), viewAttributes('f_Note', 'text'), viewAttributes('f_Note', 'size')],
    }),
    resourceRole('reader', {
      name: 'Reader',
      childRoles: ['rest-minimal'],
      policies: [entityPolicy('*', 'read'), modifyAttributes('*', '*')],
    }),
  ],
  rowLevelRoles: [
    rowLevelRole('own', { name: 'Own', policies: [queryPolicy('f_Note', '{E}.owner = :current_user_country')] }),
    rowLevelRole('small', {
      name: 'Small',
      policies: [
        {
          kind: 'predicate',
          entity: 'f_Note',
          actions: ['read'],
          dependsOn: ['size'],
          test: ({ size }) => Number(size) < 3,
        },
      ],
    }),
  ],
});
