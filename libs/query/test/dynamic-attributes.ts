import type { DynamicAttribute } from '@lintel/metadata';

const DEFINITION = (number: number): string => `00000000-0000-4000-9000-${String(number).padStart(12, '0')}`;
const CATEGORY = DEFINITION(0);

const dynamic = (
  number: number,
  entity: string,
  code: string,
  type: DynamicAttribute['type'],
  more: Partial<DynamicAttribute> = {},
): DynamicAttribute => ({
  id: DEFINITION(number),
  code,
  entity,
  category: 'Test',
  name: code,
  description: undefined,
  type,
  collection: false,
  required: false,
  target: undefined,
  values: [],
  localizedNames: {},
  localizedDescriptions: {},
  ...more,
});

/** One of each type; on an entity with a number as its key, too. */
export const DYNAMIC_ATTRIBUTES: readonly DynamicAttribute[] = [
  dynamic(1, 't_Pet', 'motto', 'STRING'),
  dynamic(2, 't_Pet', 'tricks', 'INTEGER'),
  dynamic(3, 't_Pet', 'speed', 'DOUBLE'),
  dynamic(4, 't_Pet', 'value', 'DECIMAL'),
  dynamic(5, 't_Pet', 'fedAt', 'DATE'),
  dynamic(6, 't_Pet', 'adopted', 'DATE_WITHOUT_TIME'),
  dynamic(7, 't_Pet', 'tame', 'BOOLEAN'),
  dynamic(8, 't_Pet', 'size', 'ENUMERATION', { values: ['SMALL', 'LARGE'] }),
  dynamic(9, 't_Pet', 'sitter', 'ENTITY', { target: 't_Owner' }),
  dynamic(10, 't_Pet', 'names', 'STRING', { collection: true }),
  dynamic(11, 't_Pet', 'labels', 'ENTITY', { target: 't_Tag', collection: true }),
  dynamic(12, 't_Owner', 'vip', 'BOOLEAN'),
  dynamic(13, 't_Staff', 'badge', 'STRING'),
  dynamic(14, 't_Vet', 'helper', 'ENTITY', { target: 't_Staff' }),
];

const storedValue = (number: number, owner: string, column: string, value: string, position = 0): string =>
  `INSERT INTO dynat.attribute_value (attribute_id, owner_key, position, ${column})
   VALUES ('${DEFINITION(number)}', '${owner}', ${position}, ${value})`;

/** Definitions and values; `idOf` makes the ids of the test's rows. */
export const dynamicData = (idOf: (number: number) => string): readonly string[] => [
  `INSERT INTO dynat.category (id, version, name, entity_type) VALUES ('${CATEGORY}', 1, 'Test', 't_Pet')`,
  ...DYNAMIC_ATTRIBUTES.map(
    ({ id, code, entity, type }) => `INSERT INTO dynat.category_attribute
      (id, version, category_id, category_entity_type, name, code, data_type)
      VALUES ('${id}', 1, '${CATEGORY}', '${entity}', '${code}', '${code}', '${type}')`,
  ),
  storedValue(1, idOf(11), 'string_value', `'Good "boy"'`),
  storedValue(2, idOf(11), 'integer_value', '7'),
  storedValue(3, idOf(11), 'double_value', '0.1'),
  storedValue(4, idOf(11), 'decimal_value', '12345678901234567890.120'),
  storedValue(5, idOf(11), 'date_time_value', `'2026-02-03 04:05:06'`),
  storedValue(6, idOf(11), 'date_value', `'2024-02-29'`),
  storedValue(7, idOf(11), 'boolean_value', 'false'),
  storedValue(8, idOf(11), 'string_value', `'LARGE'`),
  storedValue(9, idOf(11), 'target_uuid', `'${idOf(2)}'`),
  storedValue(9, idOf(12), 'target_uuid', `'${idOf(4)}'`),
  storedValue(10, idOf(11), 'string_value', `'Wolf'`, 1),
  storedValue(10, idOf(11), 'string_value', `'Rexi'`, 0),
  storedValue(11, idOf(11), 'target_text', `'rare'`, 0),
  storedValue(11, idOf(11), 'target_text', `'cute'`, 1),
  storedValue(12, idOf(1), 'boolean_value', 'true'),
  storedValue(13, '1', 'string_value', `'B-1'`),
  storedValue(13, '2', 'string_value', `'B-2'`),
  storedValue(14, '1', 'target_number', '2'),
];
