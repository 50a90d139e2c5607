/** First digits of the demo ids of each entity, so that an id shows what it belongs to. */
const PREFIXES = {
  user: '00000001',
  assignment: '00000002',
  category: 'ca000000',
  customer: 'c0000000',
  tag: '7a000000',
  product: 'b0000000',
  order: '0d000000',
  line: '11000000',
  discount: 'd1000000',
  delivery: 'de000000',
  company: 'c1000000',
  person: 'be000000',
  dynamicCategory: 'da000000',
  dynamicAttribute: 'daa00000',
} as const;

/** The same UUID for the same kind and number, in every installation. */
export const demoId = (kind: keyof typeof PREFIXES, number: number): string =>
  `${PREFIXES[kind]}-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
