import {
  buildModel,
  elements,
  embeddable,
  embedded,
  fileRef,
  keylessEntity,
  standardEntity,
  string,
} from '@lintel/metadata';
import { fileColumnsOf } from './file-columns.ts';

// Asserts contract/operations.md#unreferenced-files.
test('the columns of file references are those of attributes, of embedded objects, and of descendants once', () => {
  const model = buildModel({
    entities: [
      embeddable('t_Contact', { attributes: { photo: fileRef(), name: string(20) } }),
      standardEntity('t_Party', { abstract: true, attributes: { logo: fileRef() } }),
      standardEntity('t_Company', {
        extends: 't_Party',
        attributes: { contact: embedded('t_Contact'), tags: elements(5), unstored: fileRef().transient() },
      }),
    ],
  });
  expect(fileColumnsOf(model)).toEqual([
    { table: { schema: 't', name: 'party' }, column: 'logo', isArray: false },
    { table: { schema: 't', name: 'company' }, column: 'contact_photo', isArray: false },
  ]);
});

test('a table without a key has columns of file references too', () => {
  const table = { schema: 'shop', name: 'picture' };
  const model = buildModel({ entities: [keylessEntity('t_Picture', { table, attributes: { content: fileRef() } })] });
  expect(fileColumnsOf(model)).toEqual([{ table, column: 'content', isArray: false }]);
});
