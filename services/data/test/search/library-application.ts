import { defineApplication } from '@lintel/application';
import { keyedEntity, softDeletedEntity, string, text, toMany, toOne } from '@lintel/metadata';
import { entityPolicy, queryPolicy, resourceRole, rowLevelRole, viewAttributes } from '@lintel/security';

/** Texts in several languages, of which a reader sees some. */
export const library = defineApplication({
  id: 's',
  name: 'Library',
  entities: [
    softDeletedEntity('s_Book', {
      attributes: {
        title: string(100).searchable({ weight: 'A', language: 'german', prefix: true, typos: true }),
        code: string(20).searchable({ weight: 'B', prefix: true }),
        body: text().searchable({ language: 'german' }),
        shelf: string(20),
        author: toOne('s_Author'),
      },
      instanceName: ['title'],
    }),
    softDeletedEntity('s_Author', {
      attributes: {
        name: string(50).searchable({ language: 'english' }),
        secretName: string(50).searchable({ typos: true }),
      },
      instanceName: ['name'],
    }),
    softDeletedEntity('s_Loan', {
      attributes: {
        remark: string(50).searchable(),
        book: toOne('s_Book').searchable(),
        desk: toOne('s_Desk'),
      },
    }),
    softDeletedEntity('s_Desk', { attributes: { name: string(20), loans: toMany('s_Loan', 'desk').searchable() } }),
    keyedEntity('s_Shelf', { key: 'name', attributes: { name: string(20) } }),
    softDeletedEntity('s_Note', { attributes: { hidden: text().searchable() } }),
  ],
  roles: [
    resourceRole('reader', {
      name: 'Reader',
      childRoles: ['rest-minimal'],
      policies: [
        ...['s_Book', 's_Author', 's_Note', 's_Loan', 's_Desk'].map((entity) => entityPolicy(entity, 'read')),
        viewAttributes('s_Book', 'title', 'code', 'shelf'),
        viewAttributes('s_Author', 'name'),
        viewAttributes('s_Loan', 'book'),
        viewAttributes('s_Desk', 'name', 'loans'),
      ],
    }),
  ],
  rowLevelRoles: [
    rowLevelRole('open-shelves', { name: 'Open shelves', policies: [queryPolicy('s_Book', "{E}.shelf <> 'closed'")] }),
  ],
});
