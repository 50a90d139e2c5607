import type { DiagramEdge, DiagramGraph } from '../../src/areas/model/diagram/diagram-graph.ts';

const edge = (from: string, to: string, cardinality: DiagramEdge['cardinality'], attribute = 'x'): DiagramEdge => ({
  from,
  to,
  cardinality,
  attribute,
  isComposition: false,
});

/** As the example application. */
export const SALES: DiagramGraph = {
  nodes: [
    ...['Company', 'Address', 'CustomerCategory', 'Party', 'Warehouse', 'ExchangeRateKey', 'Person', 'ProductTag'],
    ...['Customer', 'Delivery', 'ExchangeRate', 'Product', 'Order', 'StockMovement', 'PriceQuote', 'OrderLine'],
    'LineDiscount',
  ],
  edges: [
    edge('Customer', 'Address', 'n:1'),
    edge('Delivery', 'Address', '1:1'),
    edge('Customer', 'CustomerCategory', 'n:1'),
    edge('ExchangeRate', 'ExchangeRateKey', '1:1'),
    edge('Product', 'ProductTag', 'n:m'),
    edge('Order', 'Customer', 'n:1'),
    edge('Order', 'Delivery', '1:1'),
    edge('StockMovement', 'Product', 'n:1'),
    edge('StockMovement', 'Warehouse', 'n:1'),
    edge('PriceQuote', 'Product', 'n:1'),
    edge('OrderLine', 'Order', 'n:1'),
    edge('OrderLine', 'Product', 'n:1'),
    edge('LineDiscount', 'OrderLine', 'n:1'),
  ],
};

/** Two entities with many relations, also to themselves. */
export const PARALLEL: DiagramGraph = {
  nodes: ['Person', 'Contract'],
  edges: [
    ...['seller', 'buyer', 'notary', 'witness', 'guarantor', 'author', 'reader'].map((name) =>
      edge('Contract', 'Person', 'n:1', name),
    ),
    edge('Person', 'Person', 'n:1', 'mother'),
    edge('Person', 'Person', 'n:1', 'father'),
    edge('Person', 'Person', 'n:m', 'friends'),
  ],
};

// Each entity refers to one of the row above, and to some of all others above it.
const NAMES = Array.from({ length: 20 }, (_, at) => `E${at}`);

/** Twenty entities in five rows. */
export const TWENTY: DiagramGraph = {
  nodes: NAMES,
  edges: NAMES.flatMap((from, at) => [
    ...(at >= 4 ? [edge(from, `E${at - 4}`, 'n:1')] : []),
    ...NAMES.slice(0, Math.max(0, at - 8))
      .filter((_, other) => (at * 7 + other * 3) % 4 === 0)
      .map((to) => edge(from, to, 'n:1')),
    ...(at % 6 === 0 ? [edge(from, from, 'n:1')] : []),
  ]),
};
