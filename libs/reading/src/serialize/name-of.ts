import {
  type Attribute,
  type Display,
  displayText,
  type Entity,
  entityOf,
  instanceNameAttributes,
  type Model,
} from '@lintel/metadata';
import { hasCompositeKey } from '@lintel/query';
import type { Access } from '@lintel/security';
import { idForm } from './id-form.ts';
import { jsonScalar } from './json-value.ts';

interface Naming {
  readonly model: Model;
  readonly access: Pick<Access, 'allows' | 'mayView'> | undefined;
  /** Formats values in the caller's language. */
  readonly display: Display;
}

type Values = Readonly<Record<string, unknown>>;

/**
 * Instance names that contain references continue in the next entity; a model with a cycle of such names does not load.
 */
const MAX_DEPTH = 8;

/**
 * The instance name of a value that application code has, composed of the parts that the caller may view
 * (contract/decisions.md#29): the name in the value if no part is hidden, else a new name with the hidden parts empty.
 *
 * @returns undefined if it is unknown
 */
export function nameOf(naming: Naming, entity: Entity, value: Values): string | undefined {
  const given = value['_instanceName'];
  const isGiven = typeof given === 'string';
  if (isGiven && isNameVisible(naming, entity, 0)) return given;
  if (entity.instanceName === undefined) {
    if (entity.key === undefined) return entity.name;
    const id = value['id'] ?? value[entity.key?.attribute ?? 'id'];
    if (id === undefined || id === null) return undefined;
    const form = idForm(naming.model, entity, id);
    // The parts of a composite id, as the entity API writes them.
    const parts = hasCompositeKey(entity) ? Object.values(form as object) : [form];
    return [entity.name, ...parts].join('-');
  }
  const names = instanceNameAttributes(entity.instanceName);
  const texts: Record<string, string | null> = {};
  for (const name of names) {
    const attribute = entity.attributes.get(name);
    if (attribute === undefined) return undefined;
    if (!isVisible(naming, entity, attribute)) {
      texts[name] = null;
      continue;
    }
    // Not loaded: a name without it would be a wrong one.
    if (!Object.hasOwn(value, name)) return undefined;
    texts[name] = textOf(naming, attribute, value[name], entity.instanceName.kind === 'parts');
  }
  if (entity.instanceName.kind === 'method') return entity.instanceName.format(texts);
  return entity.instanceName.parts.map((part) => ('text' in part ? part.text : (texts[part.attribute] ?? ''))).join('');
}

/**
 * @param isShown whether the text is part of the name unchanged; code that composes a name gets exact values
 */
function textOf(naming: Naming, attribute: Attribute, value: unknown, isShown: boolean): string | null {
  if (value === null || value === undefined) return null;
  switch (attribute.kind) {
    case 'datatype': {
      const text = String(jsonScalar(attribute.datatype, value));
      return isShown ? displayText(attribute.datatype, text, naming.display) : text;
    }
    case 'enum':
      return naming.display.captions.constant(attribute.enumName, String(value));
    case 'reference':
      return typeof value === 'object'
        ? (nameOf(naming, entityOf(naming.model, attribute.target), value as Values) ?? null)
        : null;
    default:
      return String(value);
  }
}

function isVisible({ model, access }: Naming, entity: Entity, attribute: Attribute): boolean {
  if (attribute.secret) return false;
  if (access === undefined) return true;
  if (!access.mayView(entity.name, attribute.name)) return false;
  return attribute.kind !== 'reference' || access.allows(entityOf(model, attribute.target).name, 'read');
}

/** Whether the caller may view all parts of the name, also in the referenced entities. */
function isNameVisible(naming: Naming, entity: Entity, depth: number): boolean {
  if (entity.instanceName === undefined) return true;
  if (depth > MAX_DEPTH) return false;
  return instanceNameAttributes(entity.instanceName).every((name) => {
    const attribute = entity.attributes.get(name);
    if (attribute === undefined || !isVisible(naming, entity, attribute)) return false;
    return attribute.kind !== 'reference' || isNameVisible(naming, entityOf(naming.model, attribute.target), depth + 1);
  });
}
