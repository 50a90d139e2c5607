import { demoId } from './demo-ids.ts';

const TAGS = ['outdoor', 'kitchen', 'office', 'garden', 'sale', 'new'];
const THINGS = [
  'Lantern',
  'Kettle',
  'Desk lamp',
  'Rake',
  'Tent',
  'Teapot',
  'Stapler',
  'Watering can',
  'Cool box',
  'Mug',
];
const KINDS = ['Classic', 'Compact', 'Deluxe', 'Junior', 'Pro', 'Travel'];

export const PRODUCT_COUNT = THINGS.length * KINDS.length;

/** Price of the numbered product, in cents. */
export const priceInCents = (number: number): number => 495 + ((number * 1337) % 19500);

/** Cents as a decimal text: 1095 → `10.95`. */
export const money = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

/** Tags and products. */
export function demoCatalogue(): readonly { readonly entity: string; readonly values: Record<string, unknown> }[] {
  const tags = TAGS.map((name, index) => ({
    entity: 'sales_ProductTag',
    values: { id: demoId('tag', index + 1), name },
  }));
  const products = Array.from({ length: PRODUCT_COUNT }, (_, index) => {
    const number = index + 1;
    const thing = THINGS[index % THINGS.length];
    const kind = KINDS[Math.floor(index / THINGS.length)];
    return {
      entity: 'sales_Product',
      values: {
        id: demoId('product', number),
        name: `${thing} ${kind}`,
        sku: `SKU-${String(number).padStart(4, '0')}`,
        price: money(priceInCents(number)),
        weight: 0.25 + (index % 8) * 0.5,
        stock: (number * 7) % 120,
        barcode: String(4006381000000 + number * 113),
        releasedOn: `202${index % 6}-0${1 + (index % 9)}-15`,
        tags: [{ id: demoId('tag', 1 + (index % 4)) }, ...(index % 5 === 0 ? [{ id: demoId('tag', 5) }] : [])],
        internalNote: `Margin class ${1 + (index % 3)}`,
      },
    };
  });
  return [...tags, ...products];
}
