import { defineApplication, entityListener } from '@lintel/application';
import {
  compositionOfMany,
  decimal,
  embeddable,
  embedded,
  integer,
  keyedEntity,
  manyToMany,
  softDeletedEntity,
  standardEntity,
  string,
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

/** The changes that listeners have seen, the latest last. */
export const HEARD: string[] = [];

/** An application with unique constraints of every kind. */
export const catalogue = defineApplication({
  id: 'u',
  name: 'Catalogue',
  entities: [
    standardEntity('u_Country', {
      attributes: { code: string(2).mandatory().unique(), name: string(50) },
      instanceName: ['name'],
    }),
    softDeletedEntity('u_Customer', {
      attributes: {
        code: string(20).mandatory().unique(),
        name: string(50),
        email: string(50),
        badge: string(10),
        state: string(10),
        pin: string(10).unique(),
        country: toOne('u_Country'),
      },
      indexes: [
        { attributes: ['email'], unique: true, expression: 'lower({email})' },
        { attributes: ['badge'], unique: true, where: "{state} = 'ACTIVE'" },
      ],
      instanceName: ['name'],
    }),
    standardEntity('u_Contract', {
      attributes: { customer: toOne('u_Customer').mandatory().unique(), terms: string(50) },
    }),
    standardEntity('u_Order', {
      attributes: {
        number: integer().mandatory(),
        year: integer().mandatory(),
        notes: string(50),
        customer: toOne('u_Customer'),
        lines: compositionOfMany('u_Line', 'order'),
        tags: manyToMany('u_Tag'),
      },
      indexes: [{ attributes: ['number', 'year'], unique: true }],
      instanceName: ['number'],
    }),
    standardEntity('u_Line', {
      attributes: {
        order: toOne('u_Order').mandatory(),
        position: integer(),
        serial: string(10).unique(),
        quantity: decimal(9, 2),
        country: toOne('u_Country'),
      },
      indexes: [{ attributes: ['order', 'position'], unique: true }],
    }),
    standardEntity('u_Tag', { attributes: { name: string(20).mandatory().unique() }, instanceName: ['name'] }),
    standardEntity('u_Asset', { abstract: true, attributes: { plate: string(10).unique(), color: string(10) } }),
    standardEntity('u_Car', { extends: 'u_Asset', attributes: { doors: integer(), vin: string(10).unique() } }),
    embeddable('u_RateKey', { attributes: { currency: string(3).mandatory(), day: integer().mandatory() } }),
    keyedEntity('u_Rate', { key: 'id', attributes: { id: embedded('u_RateKey'), rate: decimal(9, 4) } }),
    keyedEntity('u_Store', { key: 'code', attributes: { code: string(10), name: string(50) } }),
    standardEntity('u_Boat', { extends: 'u_Asset', attributes: { sails: integer() } }),
  ],
  roles: [
    resourceRole('writer', {
      name: 'Writer',
      childRoles: ['rest-minimal'],
      policies: [
        entityPolicy('u_Customer', 'read', 'create', 'update'),
        entityPolicy('u_Country', 'read'),
        viewAttributes('u_Customer', 'code', 'name', 'email', 'country'),
        modifyAttributes('u_Customer', 'code', 'name', 'country'),
        viewAttributes('u_Country', 'code', 'name'),
      ],
    }),
    resourceRole('creator', {
      name: 'Creator',
      childRoles: ['rest-minimal'],
      policies: [entityPolicy('u_Customer', 'read', 'create'), modifyAttributes('u_Customer', '*')],
    }),
    resourceRole('updater', {
      name: 'Updater',
      childRoles: ['rest-minimal'],
      policies: [entityPolicy('u_Customer', 'read', 'update'), modifyAttributes('u_Customer', '*')],
    }),
    resourceRole('blind', {
      name: 'Writes without reading',
      childRoles: ['rest-minimal'],
      policies: [entityPolicy('u_Customer', 'create', 'update'), modifyAttributes('u_Customer', '*')],
    }),
  ],
  rowLevelRoles: [
    rowLevelRole('no-secrets', {
      name: 'No secrets',
      policies: [
        queryPolicy('u_Customer', "{E}.name is null or {E}.name <> 'Secret'"),
        queryPolicy('u_Country', "{E}.name is null or {E}.name <> 'Secret'"),
        queryPolicy('u_Line', '{E}.quantity is null or {E}.quantity < 1000'),
      ],
    }),
  ],
  listeners: [
    entityListener({
      entity: 'u_Customer',
      afterSave: async ({ change }) => {
        HEARD.push(change);
      },
    }),
  ],
});

export const USERS = {
  admin: { resourceRoles: ['system-full-access'] },
  modest: { resourceRoles: ['system-full-access'], rowLevelRoles: ['no-secrets'] },
  writer: { resourceRoles: ['writer'] },
  creator: { resourceRoles: ['creator'] },
  updater: { resourceRoles: ['updater'] },
  blind: { resourceRoles: ['blind'] },
};
