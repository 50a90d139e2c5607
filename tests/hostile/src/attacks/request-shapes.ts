/** Bodies and parameters that the attacks are made of; all of them are valid JSON of the API unless it says otherwise. */

const PRODUCTS = '/rest/entities/sales_Product';

/** Paths of the entity API that the attacks use. */
export const PATHS = {
  products: PRODUCTS,
  productSearch: `${PRODUCTS}/search`,
  customers: '/rest/entities/sales_Customer',
  customerSearch: '/rest/entities/sales_Customer/search',
  orders: '/rest/entities/sales_Order',
  orderSearch: '/rest/entities/sales_Order/search',
  files: '/rest/files',
} as const;

/** Ids of the demo data. */
export const customerId = (number: number): string =>
  `c0000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
export const orderId = (number: number): string => `0d000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
export const productId = (number: number): string => `b0000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;

/** The query of a URL; objects become JSON. */
export const query = (parameters: Readonly<Record<string, unknown>>): string =>
  `?${new URLSearchParams(
    Object.entries(parameters).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )}`;

/** A plan of orders in which each level refers to the one below twice: 2^levels objects when it is resolved. */
export function doublingPlan(levels: number): object {
  const level = (left: number): object => ({
    name: `p${left}`,
    properties:
      left === 0
        ? ['number']
        : [
            { name: 'customer', fetchPlan: { properties: [{ name: 'orders', fetchPlan: level(left - 1) }] } },
            { name: 'lines', fetchPlan: { properties: [{ name: 'order', fetchPlan: `p${left - 1}` }] } },
          ],
  });
  return { entity: 'sales_Order', ...level(levels) };
}

/** A plan of products whose depth grows by two with each definition, while its text is nested three levels. */
export const chainedPlan = (links: number): object => ({
  entity: 'sales_Product',
  properties: [
    { name: 'tags', fetchPlan: { name: 't0', properties: ['name'] } },
    ...Array.from({ length: links }, (_, at) => ({
      name: 'tags',
      fetchPlan: {
        name: `t${at + 1}`,
        properties: [{ name: 'products', fetchPlan: { properties: [{ name: 'tags', fetchPlan: `t${at}` }] } }],
      },
    })),
  ],
});

/** A plan of customers that is nested so deep. */
export function nestedPlan(depth: number): object {
  const level = (left: number, name: string): object => ({
    properties: left <= 1 ? ['id'] : [{ name, fetchPlan: level(left - 1, name === 'orders' ? 'customer' : 'orders') }],
  });
  return { entity: 'sales_Customer', ...level(depth, 'orders') };
}

/** A path from a customer with so many references; every second one is a collection. */
export const longPath = (hops: number): string =>
  [...Array.from({ length: hops }, (_, at) => (at % 2 === 0 ? 'orders' : 'customer')), 'id'].join('.');

/** A path of which every reference is a collection, over products and their tags. */
export const collectionPath = (hops: number): string =>
  [...Array.from({ length: hops }, (_, at) => (at % 2 === 0 ? 'tags' : 'products')), 'name'].join('.');

export const condition = (property: string, operator: string, value: unknown): object => ({
  property,
  operator,
  value,
});

/** A filter of conditions that must all be met. */
export const filterOf = (conditions: readonly object[]): object => ({ conditions });

/** A filter whose groups are nested so deep. */
export function nestedFilter(depth: number): string {
  const open = '{"group":"AND","conditions":[';
  return `{"conditions":[${open.repeat(depth)}{"property":"name","operator":"=","value":"x"}${']}'.repeat(depth)}]}`;
}

/** JSON that is nested so deep. */
export const deepJson = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** A list of numbers as JSON, of so many bytes. */
export function numberList(byteCount: number): string {
  return `[${'1,'.repeat(Math.floor((byteCount - 3) / 2))}1]`;
}

/** A search body with a list of so many values. */
export const listSearch = (count: number): object => ({
  filter: filterOf([
    condition(
      'stock',
      'in',
      Array.from({ length: count }, (_, at) => at),
    ),
  ]),
  limit: 1,
});

export const MEBIBYTE = 1024 * 1024;
