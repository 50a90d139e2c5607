import {
  decimal,
  dto,
  embeddable,
  embedded,
  integer,
  keyedEntity,
  localDate,
  localDateTime,
  long,
  standardEntity,
  string,
  toMany,
  toOne,
} from '@lintel/metadata';

export const ExchangeRateKey = embeddable('sales_ExchangeRateKey', {
  attributes: { currency: string(3).mandatory(), validOn: localDate().mandatory() },
});

export const ExchangeRate = keyedEntity('sales_ExchangeRate', {
  key: 'id',
  attributes: {
    id: embedded('sales_ExchangeRateKey'),
    rate: decimal(19, 6).mandatory(),
  },
});

export const Warehouse = keyedEntity('sales_Warehouse', {
  key: 'code',
  attributes: {
    code: string(10).size(2, 10),
    name: string(100).mandatory(),
  },
  instanceName: ['name'],
});

export const StockMovement = keyedEntity('sales_StockMovement', {
  key: 'id',
  generation: 'identity',
  attributes: {
    id: long(),
    warehouse: toOne('sales_Warehouse').mandatory(),
    product: toOne('sales_Product').mandatory(),
    quantity: integer().mandatory(),
    movedAt: localDateTime().mandatory(),
  },
  instanceName: {
    kind: 'method',
    dependsOn: ['product', 'quantity'],
    format: ({ product, quantity }) => `${product ?? ''} × ${quantity ?? ''}`,
  },
});

/** The salaries of a cost centre are in no chart that shows less than three of them. */
export const CostCentre = standardEntity('sales_CostCentre', {
  minimumGroup: 3,
  attributes: {
    name: string(100).mandatory(),
    salaries: decimal(19, 2),
    parent: toOne('sales_CostCentre').tree(),
    children: toMany('sales_CostCentre', 'parent'),
  },
  instanceName: ['name'],
});

export const Party = standardEntity('sales_Party', {
  abstract: true,
  accessLog: { retention: 'P1Y' },
  attributes: { name: string(255).mandatory() },
  instanceName: ['name'],
});

export const Company = standardEntity('sales_Company', {
  extends: 'sales_Party',
  attributes: { vatNumber: string(50) },
});

export const Person = standardEntity('sales_Person', {
  extends: 'sales_Party',
  attributes: { birthDate: localDate() },
});

export const PriceQuote = dto('sales_PriceQuote', {
  attributes: {
    product: toOne('sales_Product'),
    quantity: decimal(19, 3),
    unitPrice: decimal(19, 2),
    total: decimal(19, 2),
  },
});
