import { buildModel, keyedEntity, long, string } from '@lintel/metadata';
import { applicationSchemas } from './entity-schemas.ts';

test('the key of a joined table has its own column name', () => {
  const keyed = { key: 'id', generation: 'identity' } as const;
  const model = buildModel({
    entities: [
      keyedEntity('t_Asset', {
        ...keyed,
        table: { schema: 'public', name: 'assets' },
        inheritance: { discriminator: 'kind' },
        discriminatorValue: 'asset',
        attributes: { id: long().column('asset_no'), label: string(20) },
      }),
      keyedEntity('t_Tool', {
        ...keyed,
        extends: 't_Asset',
        table: { schema: 'public', name: 'tools' },
        keyColumns: ['asset'],
        discriminatorValue: 'tool',
        attributes: { size: string(3) },
      }),
    ],
  });
  const columns = applicationSchemas(model).map(({ options }) => [options.tableName, options.columns['id']?.name]);
  expect(columns).toEqual([
    ['assets', 'asset_no'],
    ['tools', 'asset'],
  ]);
});
