import {
  boolean,
  decimal,
  elements,
  embeddable,
  embedded,
  enumOf,
  fileRef,
  localDate,
  softDeletedEntity,
  standardEntity,
  string,
  toMany,
  toOne,
} from '@lintel/metadata';
import { CustomerGrade } from './enums.ts';

export const CustomerCategory = standardEntity('sales_CustomerCategory', {
  attributes: {
    code: string(20).mandatory().unique(),
    name: string(100),
  },
  instanceName: ['code'],
});

export const Address = embeddable('sales_Address', {
  attributes: {
    country: string(2),
    city: string(100),
    street: string(200),
    zip: string(20),
  },
});

export const Customer = softDeletedEntity('sales_Customer', {
  attributes: {
    name: string(255).mandatory().personal().searchable({ weight: 'A', prefix: true, typos: true }),
    email: string(255).email().personal(),
    phone: string(30).personal(),
    grade: enumOf(CustomerGrade),
    active: boolean().default(true),
    birthDate: localDate().past().personal(),
    creditLimit: decimal(19, 2).min(0),
    address: embedded('sales_Address').personal(),
    category: toOne('sales_CustomerCategory'),
    orders: toMany('sales_Order', 'customer'),
    avatar: fileRef().personal(),
    tags: elements(50),
  },
  instanceName: ['name'],
  indexes: [
    { attributes: ['name'], unique: false },
    { attributes: ['name'], unique: false, search: true },
  ],
  history: { retention: 'P10Y' },
});
