import {
  arrayOf,
  boolean,
  dateTime,
  decimal,
  enumOf,
  integer,
  json,
  keyedEntity,
  localDateTime,
  string,
  text,
  toMany,
  toOne,
} from '@lintel/metadata';
import { CustomerGrade, CustomerLevel } from './enums.ts';

// What this does not say of public.customers:
// - column email is of the domain public.email_address, whose rules only the database knows
// - index customers_lower is of an expression; the database has it nevertheless
// - check customers_credit_limit_check CHECK ((credit_limit >= (0)::numeric)) is checked by the database alone

/** A buyer of the shop */
export const Customer = keyedEntity('shop_Customer', {
  table: { schema: 'public', name: 'customers' },
  key: 'id',
  generation: 'identity',
  traits: { audited: ['createdDate', 'lastModifiedDate'], softDeleted: ['deletedDate'] },
  attributes: {
    id: integer(),
    createdDate: dateTime().mandatory().column('created_at').storedAs('timestamp with time zone'),
    lastModifiedDate: dateTime().column('updated_at').storedAs('timestamp with time zone'),
    deletedDate: dateTime().column('deleted_at').storedAs('timestamp with time zone'),
    name: string(100).mandatory().unique(),
    email: string(200).storedAs('public.email_address'),
    region: toOne('shop_Region'),
    referredBy: toOne('shop_Customer').onTargetDelete('UNLINK').column('referred_by'),
    creditLimit: decimal(12, 2).mandatory().default('0'),
    /** Volume of purchases: * / A is the highest */
    grade: enumOf(CustomerGrade).mandatory().default('B').storedAs('character varying(10)'),
    level: enumOf(CustomerLevel).storedAs('smallint'),
    active: boolean().mandatory().default(true),
    phoneNumbers: arrayOf(text()),
    settings: json().mandatory().default({}),
    lastLogin: localDateTime().column('lastLogin').storedAs('timestamp without time zone'),
    line2: text().column('line_2'),
    constructorValue: text().column('constructor'),
    customersByReferredBy: toMany('shop_Customer', 'referredBy'),
    orders: toMany('shop_Order', 'customer'),
  },
  instanceName: ['name'],
  indexes: [
    { attributes: ['region', 'active'], unique: false },
    { attributes: ['name'], unique: false, search: true },
  ],
});
