import { type Localize, textOfRule } from '@lintel/entities';
import {
  type Attribute,
  type AttributeUi,
  type Captions,
  type DefaultValue,
  type Entity,
  type EntityKind,
  type EntityUi,
  type FetchPlan,
  isPersonal,
  lineageOf,
  type Model,
  storedNameAttributes,
  type ValidationRule,
} from '@lintel/metadata';
import { describeFetchPlan, type FetchPlanInfo } from './describe-fetch-plan.ts';

/** What the details say of an entity (contract/metadata.md#details). */
export interface EntityDetails {
  readonly kind: EntityKind;
  /** Instances are always of a descendant. */
  readonly abstract: boolean;
  /** The key attribute; null without one. */
  readonly key: string | null;
  /** How the key of a new instance is made; null without one. */
  readonly keyGeneration: 'uuid' | 'identity' | 'assigned' | null;
  /** The stored attributes of the instance name. */
  readonly nameAttributes: readonly string[];
  readonly ui?: Pick<EntityUi, 'order'> & {
    readonly groups?: readonly {
      readonly name: string;
      readonly description: string;
      readonly attributes: readonly string[];
    }[];
    readonly listPlan?: FetchPlanInfo;
  };
}

/**
 * A rule that clients can check; those in code of the application have no form in JSON. In a response, `message` is the
 * text of its own in the language of the request.
 */
export type RuleInfo = Exclude<ValidationRule, { readonly kind: 'custom' }>;

/** What the details say of an attribute; members without a value are not there. */
export interface AttributeDetails {
  readonly length?: number;
  readonly precision?: number;
  readonly scale?: number;
  readonly unique?: true;
  readonly defaultValue?: DefaultValue;
  /** The database sets the value of a new instance that was sent without one. */
  readonly databaseDefault?: true;
  readonly rules?: readonly RuleInfo[];
  /** No response has its value; it can be written. */
  readonly writeOnly?: true;
  /** Its values are about a person. */
  readonly personal?: true;
  /** Of a reference: the attribute at the other end. */
  readonly inverse?: string;
  /** Of a reference: the foreign key or the link table is here. */
  readonly owning?: boolean;
  /** It leads to the parent in a tree. */
  readonly tree?: true;
  /** `q` searches its words, also beginnings of words (`prefix`), or the targets of the reference. */
  readonly searchable?: 'words' | 'prefix' | 'targets';
  readonly ui?: AttributeUi;
}

/**
 * The details of an entity and of its attributes.
 *
 * @param localize texts of rules in the language of the captions
 */
export function detailsOf(
  model: Model,
  captions: Captions,
  localize: Localize,
  entity: Entity,
): { readonly entity: EntityDetails; attribute(attribute: Attribute): AttributeDetails } {
  return {
    entity: {
      kind: entity.kind,
      abstract: entity.abstract,
      key: entity.key?.attribute ?? null,
      keyGeneration: entity.key?.generation ?? null,
      nameAttributes: storedNameAttributes(entity),
      ...(entity.ui !== undefined && { ui: describeUi(model, captions, entity, entity.ui) }),
    },
    attribute: (attribute) => describeDetails(entity, attribute, (rule) => localize(textOfRule(rule), entity.name)),
  };
}

function describeUi(
  model: Model,
  captions: Captions,
  entity: Entity,
  { order, groups, listPlan }: EntityUi,
): NonNullable<EntityDetails['ui']> {
  const lineage = lineageOf(model, entity).map(({ name }) => name);
  const plan = listPlan === undefined ? undefined : planOf(model, entity, listPlan);
  return {
    ...(order !== undefined && { order }),
    ...(groups !== undefined && {
      groups: groups.map(({ name, attributes }) => ({
        name,
        description: captions.uiGroup(lineage, name),
        attributes,
      })),
    }),
    ...(plan !== undefined && { listPlan: describeFetchPlan(model, plan) }),
  };
}

/** A descendant has the plan of its ancestor, whose hints it has. */
function planOf(model: Model, entity: Entity, name: string): FetchPlan | undefined {
  const found = model.fetchPlans.get(entity.name)?.get(name);
  if (found !== undefined || entity.ancestor === undefined) return found;
  const ancestor = model.entities.get(entity.ancestor);
  return ancestor === undefined ? undefined : planOf(model, ancestor, name);
}

function describeDetails(entity: Entity, attribute: Attribute, textOf: (rule: RuleInfo) => string): AttributeDetails {
  const rules = attribute.rules.filter((rule): rule is RuleInfo => rule.kind !== 'custom');
  return {
    ...('length' in attribute && attribute.length !== undefined && { length: attribute.length }),
    ...('precision' in attribute && attribute.precision !== undefined && { precision: attribute.precision }),
    ...('scale' in attribute && attribute.scale !== undefined && { scale: attribute.scale }),
    ...('unique' in attribute && attribute.unique && { unique: true as const }),
    ...('defaultValue' in attribute &&
      attribute.defaultValue !== undefined && { defaultValue: attribute.defaultValue }),
    ...(attribute.databaseDefault === true && { databaseDefault: true as const }),
    ...(rules.length > 0 && {
      rules: rules.map((rule): RuleInfo => (rule.message === undefined ? rule : { ...rule, message: textOf(rule) })),
    }),
    ...(attribute.secret && { writeOnly: true as const }),
    ...(isPersonal(entity, attribute) && { personal: true as const }),
    ...(attribute.kind === 'reference' && {
      owning: attribute.owning,
      ...(attribute.inverse !== undefined && { inverse: attribute.inverse }),
      ...(attribute.tree === true && { tree: true as const }),
    }),
    ...describeSearch(attribute),
    ...(attribute.ui !== undefined && { ui: attribute.ui }),
  };
}

function describeSearch(attribute: Attribute): Pick<AttributeDetails, 'searchable'> {
  if (!('search' in attribute) || attribute.search === undefined) return {};
  if (attribute.kind === 'reference') return { searchable: 'targets' };
  return { searchable: attribute.search.prefix ? 'prefix' : 'words' };
}
