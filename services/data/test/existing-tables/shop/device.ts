import { arrayOf, decimal, integer, keyedEntity, long, offsetDateTime, string, text, textForm } from '@lintel/metadata';

// What this does not say of public.devices:
// - column up is of the domain public.uptime, whose rules only the database knows
// - column found is of type tsvector, which the model only reads
// - default codes is '{a}'::character varying[] in the database; the attribute stays empty where nothing is sent
// - column kinds has elements of the enum public."Payment Kind", whose labels only the database knows
// - column documents is of type jsonb[], which the model does not have
// - exclusion devices_served_excl EXCLUDE USING gist (served WITH &&) is checked by the database alone

export const Device = keyedEntity('shop_Device', {
  table: { schema: 'public', name: 'devices' },
  key: 'id',
  attributes: {
    id: integer(),
    name: text().mandatory(),
    address: textForm('inet').mandatory().unique(),
    up: textForm('public.uptime', 'interval').mandatory().default('00:00:00'),
    served: textForm('tstzrange'),
    flags: textForm('bit(8)').mandatory().default('00000000'),
    price: decimal(19, 2).storedAs('money'),
    ticket: long().mandatory().generated(),
    serialNo: integer().mandatory().generated(),
    label: text().mandatory().generated(),
    words: textForm('tsvector').generated(),
    found: textForm('tsvector').mandatory().generated(),
    tags: arrayOf(text()).mandatory(),
    codes: arrayOf(string(5)),
    readings: arrayOf(decimal(8, 2)),
    seen: arrayOf(offsetDateTime().storedAs('timestamp with time zone')),
    kinds: arrayOf(text().storedAs('public."Payment Kind"')),
    hosts: arrayOf(textForm('inet')),
    board: textForm('integer[][]'),
  },
  instanceName: ['name'],
});
