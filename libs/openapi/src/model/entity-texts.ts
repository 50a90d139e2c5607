import type { EntityTexts } from '@lintel/contracts';
import { type Attribute, type Captions, type Entity, isSoftDeleted, type Model } from '@lintel/metadata';

/** What the model says of an entity, as sentences for its operations. Captions are in the locale of the document. */
export function entityTexts({ entities }: Model, captions: Captions, entity: Entity): EntityTexts {
  const attributes = [...entity.attributes.values()].filter(({ persistent }) => persistent);
  const parts = attributes.filter((attribute) => attribute.kind === 'reference' && attribute.composition);
  const descendants = entity.descendants.filter((name) => entities.has(name));
  const { version } = entity.system;
  return {
    name: ` of ${entity.name}`,
    reading: joined([
      `The entity is "${captions.entity(entity.name)}".`,
      descendants.length > 0 && `Instances may also be of ${namesOf(descendants)}: \`_entityName\` names the entity.`,
    ]),
    creating: joined([keyText(entity), mandatoryText(mandatoryNames(entity)), partsText(parts)]),
    updating: joined([
      partsText(parts),
      version !== undefined &&
        `An update that sends \`${version}\` is refused if the instance has another version by now.`,
    ]),
    deleting: joined([
      isSoftDeleted(entity)
        ? 'The instance is marked as deleted, and its row is kept.'
        : 'The row of the instance is removed.',
      parts.length > 0 && `Its parts ${namesOf(parts.map(({ name }) => name))} are deleted with it.`,
    ]),
  };
}

const joined = (sentences: readonly (string | false)[]): string => sentences.filter(Boolean).join(' ');

const namesOf = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

function keyText({ key }: Entity): string {
  if (key === undefined) return '';
  return key.generation === 'assigned'
    ? `The client chooses the key, \`${key.attribute}\`.`
    : `The service generates the key, \`${key.attribute}\`, unless the client sends one.`;
}

const mandatoryText = (names: readonly string[]): string => (names.length === 0 ? '' : `Mandatory: ${namesOf(names)}.`);

/** The attributes that a request must have to create an instance, besides a key that the client chooses. */
export function mandatoryNames({ key, system, attributes }: Entity): readonly string[] {
  const given = new Set<string | undefined>([key?.attribute, ...Object.values(system)]);
  return [...attributes.values()]
    .filter(({ persistent, mandatory, readOnly }) => persistent && mandatory && !readOnly)
    .filter((attribute) => !given.has(attribute.name) && !hasDefault(attribute))
    .map(({ name }) => name);
}

const hasDefault = (attribute: Attribute): boolean =>
  attribute.databaseDefault === true ||
  ((attribute.kind === 'datatype' || attribute.kind === 'enum') && attribute.defaultValue !== undefined);

const partsText = (parts: readonly Attribute[]): string =>
  parts.length === 0
    ? ''
    : `The parts ${namesOf(parts.map(({ name }) => name))} are written with the instance: a list replaces the stored one.`;
