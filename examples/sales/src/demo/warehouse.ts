import { money, PRODUCT_COUNT } from './catalogue.ts';
import { demoId } from './demo-ids.ts';

type Instance = { readonly entity: string; readonly values: Record<string, unknown> };

const WAREHOUSES = [
  ['BER', 'Berlin'],
  ['HAM', 'Hamburg'],
  ['LYO', 'Lyon'],
] as const;

/** Warehouses, stock movements, exchange rates, companies and persons. */
export function demoWarehouse(): readonly Instance[] {
  const warehouses = WAREHOUSES.map(([code, name]) => ({ entity: 'sales_Warehouse', values: { code, name } }));
  const movements = Array.from({ length: 90 }, (_, index) => ({
    entity: 'sales_StockMovement',
    values: {
      warehouse: { id: WAREHOUSES[index % WAREHOUSES.length]?.[0] },
      product: { id: demoId('product', 1 + ((index * 7) % PRODUCT_COUNT)) },
      quantity: (index % 9) * 5 - 10,
      movedAt: `2026-0${1 + (index % 9)}-12T14:${String(index % 60).padStart(2, '0')}:00.000`,
    },
  }));
  const rates = Array.from({ length: 20 }, (_, index) => ({
    entity: 'sales_ExchangeRate',
    values: {
      id: {
        currency: index % 2 === 0 ? 'USD' : 'CNY',
        validOn: `2026-01-${String(1 + Math.floor(index / 2)).padStart(2, '0')}`,
      },
      rate: `${money(index % 2 === 0 ? 108 + index : 780 + index)}0000`,
    },
  }));
  return [
    ...warehouses,
    ...movements,
    ...rates,
    {
      entity: 'sales_Company',
      values: { id: demoId('company', 1), name: 'Harbour Holding', vatNumber: 'DE123456789' },
    },
    { entity: 'sales_Person', values: { id: demoId('person', 1), name: 'Greta Holm', birthDate: '1984-05-06' } },
  ];
}
