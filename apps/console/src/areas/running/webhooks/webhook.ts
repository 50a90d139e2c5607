import { captionOf, type Model } from '../../../context.ts';
import { type Formats, formatValue } from '../../data/values/format-value.ts';

/** A webhook, as far as the rights of the caller show it. */
export interface Webhook {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly entityName: string;
  /** Some of `CHANGES`, separated by commas. */
  readonly changes: string;
  /** A filter of the search API, as JSON. */
  readonly filter?: string | null;
  /** Values that a change must have set. */
  readonly became?: Readonly<Record<string, unknown>> | null;
  readonly active: boolean;
  readonly owner: string;
  readonly replayFrom?: string | null;
}

/** The changes that a webhook can send. */
export const CHANGES = ['created', 'updated', 'deleted'] as const;

/** The changes that a webhook is sent. */
export const changesOf = (changes: string): string[] => changes.split(',').map((each) => each.trim());

/** A value that a change may have set: the attribute and the value as JSON. */
export interface SetValue {
  readonly value: string;
  readonly label: string;
}

/** The key of a value of an attribute in the choices. */
export const keyOfSetValue = (name: string, value: unknown): string => JSON.stringify([name, value]);

/** The values of the chosen keys by their attributes; of several values of one attribute the last one. */
export const setValuesOf = (keys: readonly string[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(keys.map((key) => JSON.parse(key) as readonly [string, unknown]));

/** The values of enumerations and booleans of an entity that the user may see, as choices. */
export function settableValues(model: Model, entityName: string, formats: Formats): readonly SetValue[] {
  const attributes = (model.entities.get(entityName)?.properties ?? []).filter(
    ({ name, persistent, cardinality }) =>
      persistent && !String(cardinality).endsWith('MANY') && model.rights.mayView(entityName, name),
  );
  return attributes.flatMap((attribute) => {
    const { name, attributeType, type } = attribute;
    const names = attributeType === 'ENUM' ? (model.enums.get(type)?.values ?? []).map((each) => each.name) : [];
    const values = type === 'boolean' ? [true, false] : names;
    return values.map((value) => ({
      value: keyOfSetValue(name, value),
      label: `${captionOf(model, entityName, name)}: ${formatValue(value, attribute, formats)}`,
    }));
  });
}

/** Services of the platform: their events have no webhooks. */
const PLATFORM = /^(?:data|auth|files|reports|gateway|lintel)\./;

/** The types of the events of the application in an AsyncAPI document. */
export const ownEventsOf = ({
  channels = {},
}: {
  readonly channels?: Readonly<Record<string, unknown>>;
}): readonly string[] => Object.keys(channels).filter((type) => !PLATFORM.test(type));

const SECRET_BYTES = 32;

/** A new secret in the form of Standard Webhooks: 32 random bytes in base64. */
export function createSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}

/** A delivery of the log. */
export interface Delivery {
  readonly id: string;
  readonly state: 'pending' | 'delivered' | 'failed' | 'refused' | 'skipped';
  readonly entityName: string;
  readonly entityId: string;
  readonly change: string;
  readonly changedAt: string;
  readonly attempts: number;
  readonly nextAttempt?: string | null;
  readonly lastStatus?: number | null;
  readonly lastError?: string | null;
}

/** The colour of the state of a delivery. */
export const STATE_COLORS = {
  pending: 'blue',
  delivered: 'green',
  failed: 'red',
  refused: 'orange',
  skipped: 'gray',
} as const;
