import {
  buildModel,
  createMessages,
  decimal,
  displayIn,
  embeddable,
  embedded,
  entityOf,
  integer,
  keyedEntity,
  localDate,
  long,
  string,
} from '@lintel/metadata';
import { nameOf } from './name-of.ts';

const model = buildModel({
  entities: [
    embeddable('n_RateKey', { attributes: { currency: string(3), validOn: localDate() } }),
    keyedEntity('n_Rate', { key: 'id', attributes: { id: embedded('n_RateKey'), rate: decimal(9, 2) } }),
    keyedEntity('n_Counter', { key: 'number', attributes: { number: long(), hits: integer() } }),
  ],
});
const naming = { model, access: undefined, display: displayIn(createMessages(), 'en') };

// Asserts contract/decisions.md#28.
test.each([
  ['n_Rate', { id: { currency: 'EUR', validOn: '2026-01-01' } }, 'n_Rate-EUR-2026-01-01'],
  ['n_Counter', { number: '9007199254740993' }, 'n_Counter-9007199254740993'],
  ['n_Counter', { hits: 1 }, undefined],
])('without a definition the name of %s %j is %s, as in the entity API', (entity, value, name) => {
  expect(nameOf(naming, entityOf(model, entity), value)).toBe(name);
});
