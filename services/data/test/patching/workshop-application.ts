import { defineApplication, predefinedQuery, restMethod, service, t } from '@lintel/application';
import {
  compositionOfMany,
  compositionOfOne,
  dateTime,
  decimal,
  elements,
  embeddable,
  embedded,
  integer,
  json,
  keyedEntity,
  manyToMany,
  standardEntity,
  string,
  text,
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

/** Boxes with a value of every kind that a patch can name. */
export const workshop = defineApplication({
  id: 'w',
  name: 'Workshop',
  entities: [
    embeddable('w_Origin', { attributes: { land: string(20), town: string(20) } }),
    standardEntity('w_Box', {
      attributes: {
        name: string(20).mandatory(),
        note: text(),
        internal: string(20),
        price: decimal(9, 2),
        made: dateTime(),
        password: string(60).secret(),
        origin: embedded('w_Origin'),
        data: json(),
        colours: elements(10),
        label: compositionOfOne('w_Label'),
        parts: compositionOfMany('w_Part', 'box'),
        slots: compositionOfMany('w_Slot', 'box'),
        tags: manyToMany('w_Tag'),
        guests: toMany('w_Guest', 'box'),
        owner: toOne('w_Guest'),
      },
    }),
    standardEntity('w_Label', { attributes: { text: string(20), size: integer().default(3) } }),
    standardEntity('w_Part', {
      attributes: {
        box: toOne('w_Box').mandatory(),
        name: string(20).mandatory(),
        position: integer().default(7),
        data: json(),
        pieces: compositionOfMany('w_Piece', 'part'),
      },
    }),
    standardEntity('w_Piece', {
      attributes: { part: toOne('w_Part').mandatory(), name: string(20), weight: integer() },
    }),
    keyedEntity('w_Slot', {
      key: 'number',
      traits: {},
      attributes: { number: integer(), box: toOne('w_Box'), name: string(20), hint: string(20) },
    }),
    standardEntity('w_Tag', { attributes: { name: string(20) } }),
    standardEntity('w_Vehicle', {
      attributes: {
        name: string(20),
        wheels: elements(10),
        codes: elements(10).secret(),
        origin: embedded('w_Origin'),
      },
    }),
    standardEntity('w_Truck', { extends: 'w_Vehicle', attributes: { axles: integer() } }),
    standardEntity('w_Guest', { attributes: { name: string(20), box: toOne('w_Box') } }),
  ],
  queries: [
    predefinedQuery('w_Box', 'byName', {
      text: 'select b from w_Box b where b.name = :name',
      fetchPlan: '_local',
      parameters: { name: 'string' },
    }),
    predefinedQuery('w_Box', 'old', {
      text: 'select b from w_Box b',
      fetchPlan: '_local',
      deprecated: { since: '2026-01-31', sunset: '2027-06-30', link: 'https://example.org/changes' },
    }),
  ],
  services: [
    service('w_Tools', {
      half: restMethod({ params: { of: t.int, digits: t.int.optional() }, returns: t.double }, ({ of }) => of / 2),
      twice: restMethod(
        { params: { of: t.int }, returns: t.int, deprecated: { since: '2026-01-31' } },
        ({ of }) => of * 2,
      ),
      weigh: restMethod(
        {
          params: {
            box: t.entity('w_Box').optional(),
            boxes: t.list(t.entity('w_Box')).optional(),
            size: t.record({ width: t.int, height: t.int.optional() }).optional(),
            more: t.object.optional(),
          },
          returns: t.int,
        },
        ({ boxes = [] }) => boxes.length,
      ),
    }),
  ],
  roles: [
    resourceRole('clerk', {
      name: 'Clerk',
      childRoles: ['rest-minimal'],
      policies: [
        entityPolicy('w_Box', 'read', 'update'),
        entityPolicy('w_Part', 'read', 'create', 'update', 'delete'),
        entityPolicy('w_Guest', 'read'),
        modifyAttributes('w_Box', 'name', 'note', 'data', 'parts', 'owner', 'password'),
        viewAttributes('w_Box', 'price'),
        modifyAttributes('w_Part', '*'),
      ],
    }),
    resourceRole('packer', {
      name: 'Packer',
      childRoles: ['rest-minimal'],
      policies: [
        entityPolicy('w_Box', 'read', 'create', 'update'),
        entityPolicy('w_Part', 'read', 'create', 'update'),
        entityPolicy('w_Origin', 'read'),
        modifyAttributes('w_Box', 'name', 'origin', 'parts'),
        modifyAttributes('w_Origin', 'land'),
        modifyAttributes('w_Part', 'name'),
      ],
    }),
    resourceRole('driver', {
      name: 'Driver',
      childRoles: ['rest-minimal'],
      policies: [entityPolicy('w_Vehicle', 'read', 'update'), modifyAttributes('w_Vehicle', '*')],
    }),
  ],
  rowLevelRoles: [
    rowLevelRole('open-parts', {
      name: 'Parts that are not hidden',
      policies: [queryPolicy('w_Part', "{E}.name <> 'hidden'")],
    }),
  ],
});

/** Callers by their names. */
export const workers = {
  admin: { resourceRoles: ['system-full-access'] },
  clerk: { resourceRoles: ['clerk'] },
  careful: { resourceRoles: ['clerk'], rowLevelRoles: ['open-parts'] },
  packer: { resourceRoles: ['packer'] },
  driver: { resourceRoles: ['driver'] },
  nobody: { resourceRoles: ['rest-minimal'] },
};
