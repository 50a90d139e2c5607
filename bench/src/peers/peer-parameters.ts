import { randomUUID } from 'node:crypto';
import { idOf, SIZES } from '../database/data-set.ts';
import { randomWhole } from '../operations/operation.ts';

/** Parameters of the operations, as `operations` draws them for the platform. */

const MAX_OFFSET = 1_000;

export const randomOrder = (): string => idOf('order', randomWhole(1, SIZES.orders + 1));
export const randomCustomer = (): string => idOf('customer', randomWhole(1, SIZES.customers + 1));
export const randomProduct = (): string => idOf('product', randomWhole(1, SIZES.products + 1));
export const randomOffset = (): number => randomWhole(0, MAX_OFFSET);
/** A page of rows for APIs without offsets. */
export const randomPage = (size: number): number => Math.floor(randomOffset() / size);
export const randomNote = (): string => `changed ${randomWhole(0, 1_000_000_000)}`;
/** An order without its customer, with a number that no other one has. */
export const newOrder = (amount: string) => ({
  number: `W${randomUUID().replaceAll('-', '').slice(0, 19)}`,
  date: '2026-05-06',
  status: 10,
  amount,
});

/** The lines of a new order, each with more members, the product among them. */
export const newLines = (more: () => object) =>
  [1, 2, 3].map((position) => ({ ...more(), quantity: '2.000', price: '10.50', position }));

export const randomFilter = () => ({
  /** As the column has it: 10, 20, 30 or 40. */
  status: randomWhole(1, 5) * 10,
  amount: randomWhole(1, 20_000),
  prefix: String.fromCharCode(65 + randomWhole(0, 26)),
});

/** Columns of orders that all systems return. */
export const ORDER_COLUMNS = [
  'id',
  'version',
  'number',
  'date',
  'status',
  'amount',
  'discount',
  'notes',
  'placed_at',
  'confirmed_at',
  'deliver_from',
  'external_id',
  'attachment',
  'created_date',
  'created_by',
  'last_modified_date',
  'last_modified_by',
];
