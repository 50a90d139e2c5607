import { double, embeddable, embedded, keyedEntity, localDate, long } from '@lintel/metadata';

// What this does not say of public.measure:
// - table is partitioned: the model is of the whole, its partitions are left out

export const MeasureKey = embeddable('library_MeasureKey', {
  attributes: {
    id: long().mandatory(),
    taken: localDate().mandatory(),
  },
});

export const Measure = keyedEntity('library_Measure', {
  table: { schema: 'public', name: 'measure' },
  key: 'id',
  attributes: {
    id: embedded('library_MeasureKey').columnPrefix(''),
    value: double(),
  },
});
