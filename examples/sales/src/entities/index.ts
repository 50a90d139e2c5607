import { Address, Customer, CustomerCategory } from './customers.ts';
import { CustomerGrade, OrderStatus } from './enums.ts';
import { Delivery, LineDiscount, Order, OrderLine } from './orders.ts';
import { Product, ProductTag } from './products.ts';
import {
  Company,
  CostCentre,
  ExchangeRate,
  ExchangeRateKey,
  Party,
  Person,
  PriceQuote,
  StockMovement,
  Warehouse,
} from './warehouse.ts';

export const ENUMS = [CustomerGrade, OrderStatus];

export const ENTITIES = [
  CustomerCategory,
  Customer,
  Address,
  Product,
  ProductTag,
  Order,
  OrderLine,
  LineDiscount,
  Delivery,
  ExchangeRateKey,
  ExchangeRate,
  Warehouse,
  StockMovement,
  CostCentre,
  Party,
  Company,
  Person,
  PriceQuote,
];
