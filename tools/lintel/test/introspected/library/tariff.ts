import { boolean, embeddable, embedded, integer, keyedEntity, localTime, offsetDateTime } from '@lintel/metadata';

export const TariffKey = embeddable('library_TariffKey', {
  attributes: {
    active: boolean().mandatory(),
    at: offsetDateTime().mandatory(),
    hour: localTime().mandatory(),
  },
});

export const Tariff = keyedEntity('library_Tariff', {
  table: { schema: 'public', name: 'tariff' },
  key: 'id',
  attributes: {
    id: embedded('library_TariffKey').columnPrefix(''),
    amount: integer(),
  },
});
