import type { GivenValues } from './every-entity.ts';

/** Rows that no request can make: of tables that no entity or a read-only one has, and a ring of mandatory references. By database. */
export const ROWS: Readonly<Record<string, readonly string[]>> = {
  pagila: [
    `INSERT INTO country (country_id, country) VALUES (900, 'Norway')`,
    `INSERT INTO city (city_id, city, country_id) VALUES (900, 'Bergen', 900)`,
    `INSERT INTO address (address_id, address, district, city_id, phone) VALUES (900, 'Quay 1', 'Harbour', 900, '1')`,
    'INSERT INTO store (store_id, manager_staff_id, address_id) VALUES (900, 900, 900)',
    `INSERT INTO staff (staff_id, first_name, last_name, address_id, store_id, username) VALUES (900, 'A', 'B', 900, 900, 'c')`,
  ],
  warehouse: [
    `INSERT INTO crm.client VALUES (1, 'Harbour Foods', 'X1'), (2, 'Linden Deli', 'X2') ON CONFLICT DO NOTHING`,
    `INSERT INTO crm.region VALUES ('N', 'North'), ('S', 'South') ON CONFLICT DO NOTHING`,
    `INSERT INTO vehicle (id, plate) VALUES (900, 'V1')`,
  ],
};

/** What the checks of a database demand, by its name. */
export const GIVEN: Readonly<Record<string, GivenValues>> = {
  pagila: {
    'pagila_Staff.store': [{ id: 900 }],
    'pagila_Film.releaseYear': [1999, 2000],
    'pagila_PaymentKey.paymentDate': ['2026-01-10T00:00:00.000Z'],
  },
  warehouse: {
    'warehouse_Order.clientNo': [1, 2],
    'warehouse_Rack.condition': ['new', 'in stock'],
    'warehouse_Order.vatId': ['X1', 'X2'],
    'warehouse_Tour.vehicle': [{ id: 900 }],
    'warehouse_TourStop.clientNo': [1, 2],
    'warehouse_Warehouse.regionCode': ['N', 'S'],
    'warehouse_Supplier.mail': ['a@b', 'c@d'],
    'warehouse_Supplier.touched': [],
    'warehouse_Article.kinds': [['EUR'], ['CHEP', 'one way']],
    'warehouse_Warehouse.isOpen': ['Y', 'N'],
    'warehouse_Order.paid': ['Y', 'N'],
    'warehouse_Stock.quantity': [900, 901],
    'warehouse_PriceList.prices': [['$1.00'], ['$2.00', '$3.00']],
  },
};
