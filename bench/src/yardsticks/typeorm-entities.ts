import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';

export interface OrderRow {
  id: string;
  version: number;
  createdDate: string;
  createdBy: string;
  lastModifiedDate: string;
  lastModifiedBy: string | null;
  deletedDate: string | null;
  number: string;
  date: string;
  status: number;
  amount: string;
  discount: string | null;
  notes: string | null;
  placedAt: Date | null;
  customer: CustomerRow;
  lines: OrderLineRow[];
}

interface CustomerRow {
  id: string;
  name: string;
  email: string | null;
}

interface ProductRow {
  id: string;
  name: string;
  sku: string;
  price: string;
}

interface OrderLineRow {
  id: string;
  quantity: string;
  price: string;
  position: number;
  order: OrderRow;
  product: ProductRow;
}

interface OutboxRow {
  id: string;
  type: string;
  subject: string;
  envelope: unknown;
}

const text = (name?: string): EntitySchemaColumnOptions => ({
  type: 'varchar',
  nullable: true,
  ...(name ? { name } : {}),
});
const moment = (name: string): EntitySchemaColumnOptions => ({ type: 'timestamp', precision: 3, name, nullable: true });
const decimal: EntitySchemaColumnOptions = { type: 'numeric', nullable: true };
const id: EntitySchemaColumnOptions = { type: 'uuid', primary: true };

const AUDIT = {
  version: { type: 'integer', version: true },
  createdDate: moment('created_date'),
  createdBy: text('created_by'),
  lastModifiedDate: moment('last_modified_date'),
  lastModifiedBy: text('last_modified_by'),
} as const;

export const CustomerSchema = new EntitySchema<CustomerRow>({
  name: 'Customer',
  schema: 'sales',
  tableName: 'customer',
  columns: { id, name: text(), email: text() },
});

const ProductSchema = new EntitySchema<ProductRow>({
  name: 'Product',
  schema: 'sales',
  tableName: 'product',
  columns: { id, name: text(), sku: text(), price: decimal },
});

export const OrderSchema = new EntitySchema<OrderRow>({
  name: 'Order',
  schema: 'sales',
  tableName: 'order',
  columns: {
    id,
    ...AUDIT,
    deletedDate: moment('deleted_date'),
    number: text(),
    date: { type: 'date' },
    status: { type: 'integer' },
    amount: decimal,
    discount: decimal,
    notes: { type: 'text', nullable: true },
    placedAt: { type: 'timestamptz', precision: 3, name: 'placed_at', nullable: true },
  },
  relations: {
    customer: { type: 'many-to-one', target: 'Customer', joinColumn: { name: 'customer_id' } },
    lines: { type: 'one-to-many', target: 'OrderLine', inverseSide: 'order', cascade: ['insert'] },
  },
});

const OrderLineSchema = new EntitySchema<OrderLineRow>({
  name: 'OrderLine',
  schema: 'sales',
  tableName: 'order_line',
  columns: { id, ...AUDIT, quantity: decimal, price: decimal, position: { type: 'integer' } },
  relations: {
    order: { type: 'many-to-one', target: 'Order', inverseSide: 'lines', joinColumn: { name: 'order_id' } },
    product: { type: 'many-to-one', target: 'Product', joinColumn: { name: 'product_id' } },
  },
});

export const OutboxSchema = new EntitySchema<OutboxRow>({
  name: 'Outbox',
  schema: 'events',
  tableName: 'outbox',
  columns: { id, type: text(), subject: text(), envelope: { type: 'json' } },
});

export const ENTITIES = [CustomerSchema, ProductSchema, OrderSchema, OrderLineSchema, OutboxSchema];
