import { integer, keyedEntity, textForm, uuid } from '@lintel/metadata';

// What this does not say of public.booking:
// - index booking_desc has an order, an operator class or columns of its own; the database has it nevertheless
// - index booking_hash is a hash index; the database has it nevertheless
// - exclusion booking_during_excl EXCLUDE USING gist (during WITH &&) is checked by the database alone

export const Booking = keyedEntity('library_Booking', {
  table: { schema: 'public', name: 'booking' },
  key: 'id',
  generation: 'uuid',
  attributes: {
    id: uuid(),
    room: integer().mandatory(),
    during: textForm('tsrange').mandatory(),
  },
});
