import { enumeration } from '@lintel/metadata';

export const OrderStatus = enumeration('shop.OrderStatus', {
  NEW: 'new',
  IN_PROGRESS: 'in progress',
  SHIPPED: 'shipped',
  CALL_BACK: 'call-back',
});

export const PaymentKind = enumeration('shop.PaymentKind', { CARD: 'card', CASH: 'cash' });

export const CustomerGrade = enumeration('shop.CustomerGrade', { A: 'A', B: 'B', IT_S_C: "it's C" });

export const CustomerLevel = enumeration('shop.CustomerLevel', { VALUE_1: 1, VALUE_2: 2, VALUE_MINUS_3: -3 });
