import type { DetailedAttributeInfo, DetailedEntityInfo } from '@lintel/client';
import { isVisible, targetOf } from '@lintel/react';
import { captionOf, type Model, useLanguage, useModel } from '../../../context.ts';
import { ChoiceField } from '../../../controls/forms.tsx';

interface PathSelectProps {
  readonly entityName: string;
  /** Empty: none is chosen. */
  readonly path: string;
  readonly label: string;
  readonly isOffered: (attribute: DetailedAttributeInfo) => boolean;
  /** Offers dynamic attributes, too. */
  readonly hasDynamic?: boolean;
  readonly error?: string | undefined;
  readonly onChange: (path: string) => void;
}

/** Chooses an attribute; after a reference or an embedded object, one of its attributes, and so on. */
export function PathSelect({
  entityName,
  path,
  label,
  isOffered,
  hasDynamic = false,
  error,
  onChange,
}: PathSelectProps) {
  const { text, locale } = useLanguage();
  const model = useModel();
  const names = path === '' ? [] : path.split('.');
  const collator = new Intl.Collator(locale);
  const levels: React.ReactNode[] = [];
  let entity = model.entities.get(entityName);
  for (let depth = 0; entity !== undefined && depth <= names.length; depth++) {
    const owner = entity;
    const chosen = names[depth] ?? '';
    const offered = owner.properties
      .filter((attribute) => isOffered(attribute) && isVisible(model, owner.entityName, attribute))
      .map(({ name }) => ({ value: name, label: captionOf(model, owner.entityName, name) }))
      .concat(hasDynamic ? dynamicOptions(model, owner) : [])
      .sort((one, other) => collator.compare(one.label, other.label));
    levels.push(
      <ChoiceField
        key={depth}
        label={depth === 0 ? label : text('path.of', { name: captionOf(model, owner.entityName) })}
        error={depth === 0 ? error : undefined}
        value={chosen}
        data={[{ value: '', label: depth === 0 ? text('path.choose') : text('path.itself') }, ...offered]}
        onChange={(value) => onChange([...names.slice(0, depth), value].filter((name) => name !== '').join('.'))}
      />,
    );
    const attribute = owner.properties.find(({ name }) => name === chosen);
    entity = attribute === undefined ? undefined : targetOf(model, attribute);
  }
  return levels;
}

/** Dynamic attributes have the caption that an administrator has given; rights know them not. */
const dynamicOptions = (model: Model, { dynamicProperties = [] }: DetailedEntityInfo) =>
  dynamicProperties
    .filter((attribute) => attribute.attributeType === 'DATATYPE' || targetOf(model, attribute) !== undefined)
    .map(({ name, description }) => ({ value: name, label: description }));
