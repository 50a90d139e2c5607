import { Country } from './country.ts';
import { Customer } from './customer.ts';
import { Device } from './device.ts';
import { CustomerGrade, CustomerLevel, OrderStatus, PaymentKind } from './enums.ts';
import { Invoice } from './invoice.ts';
import { ItemNote } from './item-note.ts';
import { Order } from './order.ts';
import { OrderItem, OrderItemKey } from './order-item.ts';
import { Product } from './product.ts';
import { Region } from './region.ts';
import { Tag } from './tag.ts';

// Not in this model:
// - view public.big_orders is a view: it has no key
// - table public.log_lines has no primary key
// - table public.measures has the key column taken of type timestamp with time zone, which no key can have

export const ENUMS = [CustomerGrade, CustomerLevel, OrderStatus, PaymentKind];

export const ENTITIES = [
  Country,
  Customer,
  Device,
  Invoice,
  ItemNote,
  OrderItemKey,
  OrderItem,
  Order,
  Product,
  Region,
  Tag,
];
