import { defineApplication } from '@lintel/application';
import {
  boolean,
  compositionOfMany,
  compositionOfOne,
  decimal,
  elements,
  embeddable,
  embedded,
  integer,
  keyedEntity,
  localDate,
  long,
  manyToMany,
  manyToManyInverse,
  softDeletedEntity,
  standardEntity,
  string,
  toMany,
  toOne,
  toOneInverse,
} from '@lintel/metadata';
import { entityPolicy, modifyAttributes, queryPolicy, resourceRole, rowLevelRole } from '@lintel/security';

/**
 * An application for graphs of writes: compositions three levels deep with soft-deleted children and removed children,
 * children of several entities, every kind of association and delete policy.
 */
export const library = defineApplication({
  id: 'l',
  name: 'Library',
  entities: [
    embeddable('l_Location', { attributes: { room: string(5), row: integer() } }),
    standardEntity('l_Person', {
      attributes: {
        name: string(20).mandatory(),
        cards: toMany('l_Card', 'person'),
        topic: toOneInverse('l_Topic', 'expert'),
      },
      instanceName: ['name'],
    }),
    standardEntity('l_Card', {
      attributes: { number: integer().mandatory(), person: toOne('l_Person').mandatory().onTargetDelete('CASCADE') },
    }),
    standardEntity('l_Topic', {
      attributes: {
        name: string(20).mandatory().unique(),
        hidden: boolean().default(false),
        expert: toOne('l_Person').unique().onTargetDelete('UNLINK'),
        shelves: manyToManyInverse('l_Shelf', 'topics'),
      },
      instanceName: ['name'],
    }),
    softDeletedEntity('l_Book', {
      attributes: {
        title: string(20).mandatory(),
        hidden: boolean().default(false),
        shelf: toOne('l_Shelf').onTargetDelete('UNLINK'),
      },
      instanceName: ['title'],
    }),
    standardEntity('l_Loan', {
      attributes: {
        day: localDate(),
        book: toOne('l_Book').mandatory().onTargetDelete('DENY'),
        reader: toOne('l_Person').onTargetDelete('UNLINK'),
      },
    }),
    softDeletedEntity('l_Shelf', {
      attributes: {
        code: string(10).mandatory().unique(),
        width: decimal(9, 2).min(0),
        location: embedded('l_Location'),
        labels: elements(5),
        keeper: toOne('l_Person').onTargetDelete('UNLINK'),
        owner: toOne('l_Person').onDelete('UNLINK'),
        next: toOne('l_Shelf'),
        topics: manyToMany('l_Topic'),
        books: toMany('l_Book', 'shelf'),
        boards: compositionOfMany('l_Board', 'shelf'),
        boxes: compositionOfMany('l_Box', 'shelf'),
        plate: compositionOfOne('l_Plate'),
        things: compositionOfMany('l_Thing', 'shelf'),
        hint: string(20).transient(),
      },
      instanceName: ['code'],
      rules: [
        {
          message: 'A wide shelf needs a board',
          dependsOn: ['width', 'boards'],
          test: ({ width, boards }) => Number(width ?? 0) < 900 || (Array.isArray(boards) && boards.length > 0),
        },
      ],
    }),
    softDeletedEntity('l_Board', {
      attributes: {
        shelf: toOne('l_Shelf').mandatory(),
        label: string(10).mandatory().unique(),
        hidden: boolean().default(false),
        load: integer().max(100),
        screws: compositionOfMany('l_Screw', 'board'),
      },
      instanceName: ['label'],
    }),
    standardEntity('l_Screw', {
      attributes: { board: toOne('l_Board').mandatory(), size: integer().mandatory().positive() },
    }),
    standardEntity('l_Box', {
      attributes: {
        shelf: toOne('l_Shelf').mandatory(),
        name: string(10).mandatory(),
        topics: manyToMany('l_Topic'),
        lid: compositionOfOne('l_Lid'),
        items: compositionOfMany('l_Item', 'box'),
        notes: compositionOfMany('l_Note', 'box'),
        tags: elements(5),
      },
    }),
    softDeletedEntity('l_Note', { attributes: { box: toOne('l_Box').mandatory(), text: string(10) } }),
    standardEntity('l_Lid', { attributes: { colour: string(10).notBlank() } }),
    standardEntity('l_Item', {
      attributes: { box: toOne('l_Box').mandatory(), name: string(10).mandatory(), book: toOne('l_Book') },
    }),
    softDeletedEntity('l_Plate', { attributes: { text: string(20).mandatory() } }),
    standardEntity('l_Thing', {
      abstract: true,
      attributes: { shelf: toOne('l_Shelf').mandatory(), name: string(10).mandatory() },
    }),
    standardEntity('l_Lamp', { extends: 'l_Thing', attributes: { watts: integer() } }),
    standardEntity('l_Vase', { extends: 'l_Thing', attributes: { colour: string(10) } }),
    keyedEntity('l_Stamp', {
      key: 'id',
      generation: 'identity',
      attributes: { id: long(), text: string(10).mandatory() },
      traits: { versioned: true },
    }),
  ],
  roles: [
    resourceRole('porter', {
      name: 'Porter',
      childRoles: ['rest-minimal'],
      policies: [
        entityPolicy('l_Book', 'create', 'read', 'update'),
        modifyAttributes('l_Book', 'title', 'shelf'),
        entityPolicy('l_Shelf', 'create', 'update'),
        modifyAttributes('l_Shelf', 'width'),
        entityPolicy('l_Board', 'create', 'update', 'delete'),
        modifyAttributes('l_Board', '*'),
      ],
    }),
    resourceRole('archivist', {
      name: 'Archivist',
      childRoles: ['rest-minimal'],
      policies: [entityPolicy('l_Book', 'read', 'delete'), entityPolicy('l_Topic', 'read', 'delete')],
    }),
  ],
  rowLevelRoles: [
    rowLevelRole('no-secrets', {
      name: 'No secrets',
      policies: [
        queryPolicy('l_Board', '{E}.hidden = false'),
        queryPolicy('l_Topic', '{E}.hidden = false'),
        queryPolicy('l_Book', '{E}.hidden = false'),
      ],
    }),
    rowLevelRole('narrow', {
      name: 'Narrow',
      policies: [
        queryPolicy('l_Shelf', "{E}.code <> 'a'"),
        queryPolicy('l_Box', "{E}.shelf.code <> 'c'"),
        {
          kind: 'predicate',
          entity: 'l_Book',
          actions: ['read'],
          dependsOn: ['title'],
          test: ({ title }) => title !== 'e',
        },
      ],
    }),
    rowLevelRole('careful', {
      name: 'Careful',
      policies: [
        {
          kind: 'predicate',
          entity: 'l_Board',
          actions: ['create', 'update'],
          dependsOn: ['load'],
          test: ({ load }) => Number(load ?? 0) <= 3,
        },
        {
          kind: 'predicate',
          entity: 'l_Book',
          actions: ['create', 'update'],
          dependsOn: ['title'],
          test: ({ title }) => title !== 'b',
        },
        {
          kind: 'predicate',
          entity: 'l_Shelf',
          actions: ['update'],
          dependsOn: ['width'],
          test: ({ width }) => Number(width ?? 0) < 4,
        },
        {
          kind: 'predicate',
          entity: 'l_Shelf',
          actions: ['delete'],
          dependsOn: ['code'],
          test: ({ code }) => code !== 'b',
        },
        {
          kind: 'predicate',
          entity: 'l_Box',
          actions: ['delete'],
          dependsOn: ['name'],
          test: ({ name }) => name !== 'c',
        },
        {
          kind: 'predicate',
          entity: 'l_Screw',
          actions: ['create', 'update'],
          dependsOn: ['board.label'],
          test: ({ board }) => (board as { label?: string } | null)?.label !== 'd',
        },
      ],
    }),
    rowLevelRole('bound', {
      name: 'Bound by conditions',
      policies: [
        queryPolicy('l_Board', '{E}.load is null or {E}.load <= 4', { actions: ['create', 'update', 'delete'] }),
        queryPolicy('l_Book', "{E}.title <> 'c'", { actions: ['update', 'delete'] }),
        queryPolicy('l_Box', "{E}.shelf.code <> 'b'", { actions: ['create', 'update'] }),
        queryPolicy('l_Shelf', "{E}.code <> 'a'", { actions: ['delete'] }),
      ],
    }),
    rowLevelRole('no-secret-topics', {
      name: 'No secret topics, by code',
      policies: [
        {
          kind: 'predicate',
          entity: 'l_Topic',
          actions: ['read'],
          dependsOn: ['hidden'],
          test: ({ hidden }) => hidden !== true,
        },
      ],
    }),
  ],
});
