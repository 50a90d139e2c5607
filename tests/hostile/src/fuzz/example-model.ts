/** The references and attributes of the example that generated requests use. */
export interface EntityShape {
  /** By their name: the entity that they lead to. */
  readonly references: Readonly<Record<string, string>>;
  readonly texts: readonly string[];
  readonly numbers: readonly string[];
}

/** By the name of the entity. */
export const MODEL: Readonly<Record<string, EntityShape>> = {
  sales_Order: {
    references: { customer: 'sales_Customer', lines: 'sales_OrderLine', delivery: 'sales_Delivery' },
    texts: ['number', 'notes'],
    numbers: ['amount', 'discount'],
  },
  sales_OrderLine: {
    references: { order: 'sales_Order', product: 'sales_Product', discounts: 'sales_LineDiscount' },
    texts: [],
    numbers: ['quantity', 'price', 'position'],
  },
  sales_LineDiscount: { references: { line: 'sales_OrderLine' }, texts: ['reason'], numbers: ['percent'] },
  sales_Delivery: { references: {}, texts: ['carrier', 'window'], numbers: [] },
  sales_Customer: {
    references: { orders: 'sales_Order', category: 'sales_CustomerCategory' },
    texts: ['name', 'email', 'phone'],
    numbers: ['creditLimit'],
  },
  sales_CustomerCategory: { references: {}, texts: ['code', 'name'], numbers: [] },
  sales_Product: {
    references: { tags: 'sales_ProductTag' },
    texts: ['name', 'sku'],
    numbers: ['price', 'weight', 'stock', 'barcode'],
  },
  sales_ProductTag: { references: { products: 'sales_Product' }, texts: ['name'], numbers: [] },
};

/** Entities that requests begin with. */
export const ROOTS = ['sales_Order', 'sales_Customer', 'sales_Product', 'sales_OrderLine', 'sales_ProductTag'] as const;

export const shapeOf = (entity: string): EntityShape => {
  const shape = MODEL[entity];
  if (shape === undefined) throw new Error(`${entity} is not described`);
  return shape;
};
