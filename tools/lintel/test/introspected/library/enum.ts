import { enumOf, keyedEntity, uuid } from '@lintel/metadata';
import { EnumKind } from './enums.ts';

export const Enum = keyedEntity('library_Enum', {
  table: { schema: 'public', name: 'enums' },
  key: 'id',
  generation: 'uuid',
  attributes: {
    id: uuid(),
    kind: enumOf(EnumKind).storedAs('text'),
  },
});
