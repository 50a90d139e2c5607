import { PRODUCT_COUNT } from './catalogue.ts';
import { demoId } from './demo-ids.ts';

type Instance = { readonly entity: string; readonly values: Record<string, unknown> };

const CUSTOMER = 'sales_Customer';

/** The dynamic attributes of customers: code, name, German name, type. */
const ATTRIBUTES = [
  ['loyaltyNumber', 'Loyalty number', 'Treuenummer', 'STRING'],
  ['loyaltyPoints', 'Loyalty points', 'Treuepunkte', 'INTEGER'],
  ['vip', 'VIP', 'VIP', 'BOOLEAN'],
  ['favourite', 'Favourite product', 'Lieblingsprodukt', 'ENTITY'],
] as const;

/** The category "Loyalty" with its attributes. */
export const demoLoyalty = (): readonly Instance[] => [
  {
    entity: 'dynat_Category',
    values: {
      id: demoId('dynamicCategory', 1),
      name: 'Loyalty',
      entityType: CUSTOMER,
      isDefault: true,
      localeNames: 'de=Treueprogramm',
      categoryAttrs: ATTRIBUTES.map(([code, name, german, dataType], index) => ({
        id: demoId('dynamicAttribute', index + 1),
        categoryEntityType: CUSTOMER,
        code,
        name,
        dataType,
        entityClass: dataType === 'ENTITY' ? 'sales_Product' : null,
        orderNo: index + 1,
        localeNames: `de=${german}`,
      })),
    },
  },
];

/** Values of the dynamic attributes: every second customer takes part, some without a favourite. */
export const loyaltyOf = (customer: number): Record<string, unknown> =>
  customer % 2 === 0
    ? {}
    : {
        '+loyaltyNumber': `L-${String(customer).padStart(4, '0')}`,
        '+loyaltyPoints': customer * 125,
        '+vip': customer % 5 === 0,
        '+favourite': customer % 3 === 0 ? null : { id: demoId('product', 1 + ((customer * 7) % PRODUCT_COUNT)) },
      };
