/** A number of a response that a double may change. */
export class ExactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The attributes of an entity that are decimals or 64-bit integers; those of embedded objects are nested. */
export interface NumberAttributes {
  /** True for such a number; the attributes of an embedded object. */
  readonly [attribute: string]: true | NumberAttributes;
}

/** Of the entities with such attributes, which they are. */
export type NumberKinds = Readonly<Record<string, NumberAttributes>>;

type Kind = NumberAttributes[string] | undefined;

/** Gives each number of parsed JSON the type of its attribute. Objects are changed, not copied. */
export function typeNumbers(value: unknown, kinds: NumberKinds, kind?: Kind): unknown {
  if (typeof value === 'number' || value instanceof ExactNumber) return typed(value, kind);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) value[index] = typeNumbers(value[index], kinds, kind);
    return value;
  }
  const object = value as Record<string, unknown>;
  const name = object['_entityName'];
  const attributes = (typeof name === 'string' && own(kinds, name)) || (typeof kind === 'object' ? kind : undefined);
  for (const member of Object.keys(object)) {
    object[member] = typeNumbers(object[member], kinds, attributes && own(attributes, member));
  }
  return object;
}

const own = <T>(values: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined;

function typed(value: number | ExactNumber, kind: Kind): unknown {
  const text = typeof value === 'number' ? String(value) : value.text;
  if (kind === true) return text;
  if (typeof value === 'number') return value;
  const number = Number(text);
  return sameValue(text, String(number)) ? number : text;
}

/** Whether two texts are the same decimal: `10.50` and `10.5`. */
const sameValue = (one: string, other: string): boolean => digits(one) === digits(other);

/** Sign, digits without zeros at either end, and the exponent of the last digit. */
function digits(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const all = (whole + fraction).replace(/^0+/, '');
  const short = all.replace(/0+$/, '');
  if (short === '') return '0';
  const sign = mantissa.startsWith('-') ? '-' : '';
  return `${sign}${short}e${Number(exponent) - fraction.length + all.length - short.length}`;
}
