import { BigOrder } from './big-order.ts';
import { Country } from './country.ts';
import { Customer } from './customer.ts';
import { Device } from './device.ts';
import { CustomerGrade, CustomerLevel, OrderStatus, PaymentKind } from './enums.ts';
import { Invoice } from './invoice.ts';
import { ItemNote } from './item-note.ts';
import { LogLine } from './log-line.ts';
import { Measure } from './measure.ts';
import { Order } from './order.ts';
import { OrderItem, OrderItemKey } from './order-item.ts';
import { Product } from './product.ts';
import { Region } from './region.ts';
import { Tag } from './tag.ts';

export const ENUMS = [OrderStatus, PaymentKind, CustomerGrade, CustomerLevel];

export const ENTITIES = [
  BigOrder,
  Country,
  Customer,
  Device,
  Invoice,
  ItemNote,
  LogLine,
  Measure,
  OrderItemKey,
  OrderItem,
  Order,
  Product,
  Region,
  Tag,
];
