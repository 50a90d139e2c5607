import { localizeIn } from '@lintel/entities';
import { PlatformError } from '@lintel/errors';
import type { TaggedText } from '@lintel/http';
import { type Captions, captionsIn, type Entity, type Enumeration, type Messages, type Model } from '@lintel/metadata';
import { createTaggedTexts } from '../tagged-texts.ts';
import { detailsOf } from './describe-details.ts';
import { describeEntity, type EntityInfo } from './describe-entity.ts';
import { describeFetchPlan, namedFetchPlans } from './describe-fetch-plan.ts';

/** An enum in the metadata API (contract/metadata.md#enums); ids keep their JSON type. */
interface EnumInfo {
  readonly name: string;
  readonly values: readonly { readonly name: string; readonly id: string | number; readonly caption: string }[];
}

/** Metadata of an enum, its constants in the order of their declaration. */
const describeEnum = (captions: Captions, { name, values }: Enumeration): EnumInfo => ({
  name,
  values: values.map((value) => ({ name: value.name, id: value.id, caption: captions.constant(name, value.name) })),
});

/** The metadata of one model in one locale; each text is created at its first use. */
export interface MetadataTexts {
  /**
   * Stored entities, embeddables and DTOs (contract/decisions.md#63): properties of a DTO are not `persistent`.
   *
   * @param hasDetails with what forms need (contract/metadata.md#details)
   */
  entities(hasDetails?: boolean): TaggedText;
  /** @throws PlatformError MODEL_ENTITY_NOT_FOUND */
  entity(name: string, hasDetails?: boolean): TaggedText;
  /** @throws PlatformError MODEL_ENTITY_NOT_FOUND */
  fetchPlans(entity: string): TaggedText;
  /** @throws PlatformError MODEL_ENTITY_NOT_FOUND, MODEL_FETCH_PLAN_NOT_FOUND */
  fetchPlan(entity: string, plan: string): TaggedText;
  enums(): TaggedText;
  /** @throws PlatformError MODEL_ENUM_NOT_FOUND */
  enumeration(name: string): TaggedText;
}

/** @param messages texts of the captions */
export function createMetadataTexts(model: Model, messages: Messages, locale: string): MetadataTexts {
  const captions: Captions = captionsIn(messages, locale);
  const localize = localizeIn(messages, locale);
  const once = createTaggedTexts();
  const entityNamed = (name: string): Entity => {
    const entity = model.entities.get(name);
    if (entity === undefined) throw new PlatformError('MODEL_ENTITY_NOT_FOUND', `Entity ${name} not found`);
    return entity;
  };
  const describe = (entity: Entity, hasDetails: boolean): EntityInfo =>
    describeEntity(model, captions, entity, hasDetails ? detailsOf(model, captions, localize, entity) : undefined);
  const enumNamed = (name: string): Enumeration => {
    const enumeration = model.enums.get(name);
    if (enumeration === undefined)
      throw new PlatformError('MODEL_ENUM_NOT_FOUND', `Enum with class name ${name} not found`);
    return enumeration;
  };
  return {
    entities: (hasDetails = false) =>
      once(`entities ${hasDetails}`, () => [...model.entities.values()].map((entity) => describe(entity, hasDetails))),
    entity: (name, hasDetails = false) => {
      const entity = entityNamed(name);
      return once(`entity ${hasDetails} ${name}`, () => describe(entity, hasDetails));
    },
    fetchPlans: (name) => {
      const entity = entityNamed(name);
      return once(`plans ${name}`, () => namedFetchPlans(model, entity).map((plan) => describeFetchPlan(model, plan)));
    },
    fetchPlan: (name, planName) => {
      const plan = model.fetchPlans.get(entityNamed(name).name)?.get(planName);
      if (plan === undefined)
        throw new PlatformError('MODEL_FETCH_PLAN_NOT_FOUND', `Fetch plan ${planName} for metaClass ${name} not found`);
      return once(`plan ${name} ${planName}`, () => describeFetchPlan(model, plan));
    },
    enums: () => once('enums', () => [...model.enums.values()].map((each) => describeEnum(captions, each))),
    enumeration: (name) => {
      const enumeration = enumNamed(name);
      return once(`enum ${name}`, () => describeEnum(captions, enumeration));
    },
  };
}
