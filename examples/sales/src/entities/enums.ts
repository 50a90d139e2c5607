import { enumeration } from '@lintel/metadata';

export const CustomerGrade = enumeration('sales.CustomerGrade', { BRONZE: 'B', SILVER: 'S', GOLD: 'G' });

export const OrderStatus = enumeration('sales.OrderStatus', { NEW: 10, CONFIRMED: 20, SHIPPED: 30, CLOSED: 40 });
