import { amountOf } from '../listeners/order-amount.ts';
import { money, PRODUCT_COUNT, priceInCents } from './catalogue.ts';
import { demoId } from './demo-ids.ts';
import { loyaltyOf } from './loyalty.ts';
import { repeatableRandom } from './random.ts';

type Instance = { readonly entity: string; readonly values: Record<string, unknown> };

const CATEGORIES = [
  ['RETAIL', 'Retail'],
  ['WHOLESALE', 'Wholesale'],
  ['ONLINE', 'Online shop'],
] as const;

const CITIES = [
  ['DE', 'Berlin', '10115'],
  ['DE', 'Hamburg', '20095'],
  ['FR', 'Lyon', '69001'],
  ['US', 'Portland', '97201'],
  ['CN', '上海', '200000'],
] as const;

const NAMES = ['Amsel', 'Brandt', 'Cordier', 'Duarte', 'Eklund', 'Fontaine', 'Grünwald', 'Huang', 'Ivanova', 'Jansen'];
const FORMS = ['GmbH', 'SARL', 'Inc.', '& Sons'];
const GRADES = ['BRONZE', 'SILVER', 'GOLD'];
const STATUSES = ['NEW', 'CONFIRMED', 'SHIPPED', 'CLOSED'];
const CARRIERS = ['Northern Freight', 'Kestrel Express', 'Bluewater'];
const CUSTOMER_COUNT = NAMES.length * FORMS.length;
const ORDER_COUNT = 300;

const cityOf = (number: number): (typeof CITIES)[number] => CITIES[number % CITIES.length] ?? CITIES[0];

const addressOf = (number: number): Record<string, unknown> => {
  const [country, city, zip] = cityOf(number);
  return { country, city, zip, street: `Main street ${number}` };
};

/** Categories and customers. */
export function demoCustomers(): readonly Instance[] {
  const categories = CATEGORIES.map(([code, name], index) => ({
    entity: 'sales_CustomerCategory',
    values: { id: demoId('category', index + 1), code, name },
  }));
  const customers = Array.from({ length: CUSTOMER_COUNT }, (_, index) => {
    const number = index + 1;
    return {
      entity: 'sales_Customer',
      values: {
        id: demoId('customer', number),
        name: `${NAMES[index % NAMES.length]} ${FORMS[Math.floor(index / NAMES.length)]}`,
        email: `office${number}@example.com`,
        phone: `+49 30 555 ${String(1000 + number)}`,
        grade: GRADES[index % GRADES.length],
        active: number % 11 !== 0,
        birthDate: `19${50 + (index % 45)}-0${1 + (index % 9)}-10`,
        creditLimit: money(500_000 + number * 12_345),
        address: addressOf(number),
        category: { id: demoId('category', 1 + (index % CATEGORIES.length)) },
        tags: number % 4 === 0 ? ['key account', 'newsletter'] : ['newsletter'],
        ...loyaltyOf(number),
      },
    };
  });
  return [...categories, ...customers];
}

/** Orders with deliveries, lines and discounts. */
export function demoOrders(): readonly Instance[] {
  const random = repeatableRandom(20261121);
  const deliveries: Instance[] = [];
  const orders: Instance[] = [];
  const lines: Instance[] = [];
  const discounts: Instance[] = [];
  for (let number = 1; number <= ORDER_COUNT; number += 1) {
    const orderLines = Array.from({ length: 1 + Math.floor(random() * 4) }, (_, index) => {
      const product = 1 + Math.floor(random() * PRODUCT_COUNT);
      const lineId = demoId('line', number * 10 + index);
      const lineDiscounts = random() < 0.2 ? [{ percent: random() < 0.3 ? '60.00' : '10.00' }] : [];
      for (const { percent } of lineDiscounts) {
        discounts.push({
          entity: 'sales_LineDiscount',
          values: {
            id: demoId('discount', discounts.length + 1),
            line: { id: lineId },
            reason: percent === '60.00' ? 'Clearance' : 'Volume',
            percent,
          },
        });
      }
      const values = {
        id: lineId,
        order: { id: demoId('order', number) },
        product: { id: demoId('product', product) },
        quantity: `${1 + Math.floor(random() * 12)}.000`,
        price: money(priceInCents(product)),
        position: index + 1,
      };
      lines.push({ entity: 'sales_OrderLine', values });
      return { ...values, discounts: lineDiscounts };
    });
    const customer = 1 + Math.floor(random() * CUSTOMER_COUNT);
    const discount = number % 6 === 0 ? '0.0500' : null;
    if (number % 3 === 0) {
      deliveries.push({
        entity: 'sales_Delivery',
        values: {
          id: demoId('delivery', number),
          address: addressOf(customer),
          carrier: CARRIERS[number % CARRIERS.length],
          window: '08:00–12:00',
        },
      });
    }
    const day = new Date(Date.UTC(2026, 0, 1 + Math.floor((number * 310) / ORDER_COUNT))).toISOString().slice(0, 10);
    orders.push({
      entity: 'sales_Order',
      values: {
        id: demoId('order', number),
        number: `A-${String(number).padStart(5, '0')}`,
        date: day,
        status: STATUSES[Math.min(3, Math.floor(random() * 4))],
        customer: { id: demoId('customer', customer) },
        manager: { id: demoId('user', 2) },
        ...(number % 3 === 0 ? { delivery: { id: demoId('delivery', number) } } : {}),
        amount: amountOf({ discount, lines: orderLines }).toFixed(2),
        ...(discount === null ? {} : { discount }),
        ...(number % 10 === 0 ? { notes: 'Call before delivery.' } : {}),
        placedAt: `${day}T09:30:00.000+01:00`,
        deliverFrom: '08:00:00',
      },
    });
  }
  return [...deliveries, ...orders, ...lines, ...discounts];
}
