import {
  type Attribute,
  type Datatype,
  type DatatypeAttribute,
  type Display,
  type EmbeddedAttribute,
  type Entity,
  embeddedPrefix,
  enumerationOf,
  familyOf,
  isToOne,
  lineageOf,
  type Model,
} from '@lintel/metadata';
import { hasCompositeKey, keyPartsOf } from '../../ids/entity-id.ts';
import { type DatatypeType, datatypeOf, keyTypeOf } from '../../literals/literal-type.ts';
import type { SecuredNode, SecuredProperty } from '../../secure/secured-query.ts';
import type { Visibility } from '../../secure/visibility.ts';
import { nonNullColumns } from '../joins/embedded-columns.ts';
import { reach, reachElements } from '../joins/plan-joins.ts';
import type { ColumnFormat, MemberPlan, ObjectPlan, PolicyPlan, ValuePlan } from '../read-plan.ts';
import { type Row, rejoinByKey } from '../row-source.ts';
import { planPolicyObject } from '../trusted.ts';
import { planDynamic } from './plan-dynamic.ts';
import { memberFacts, planMemberPart } from './plan-member-part.ts';
import { planName } from './plan-name.ts';
import { planToken } from './plan-token.ts';

/** Members that the shape stage reads and drops. No attribute can have such a name. */
export const INPUTS_MEMBER = '$inputs';
export const POLICY_MEMBER = '$policy';

export interface ObjectContext {
  readonly model: Model;
  readonly visibility: Visibility;
  /** How values are formatted in instance names; without it they are not formatted. */
  readonly display: Display | undefined;
  /** Every object gets a security token. */
  readonly tokens: boolean;
  /** Rows from the root down to here, to find an instance that is its own ancestor. */
  readonly above: readonly Row[];
  /** For code, not for the response: an instance that is its own ancestor is complete nevertheless. */
  readonly isWhole?: true;
}

/** Passed down to what plans objects inside of this one. */
export type PlanObject = typeof planObject;

/**
 * Plans the JSON object of a row: `_entityName`, `_instanceName`, `id`, then the attributes in the order of
 * the model, then the dynamic ones (contract/instances.md#object).
 */
export function planObject(node: SecuredNode, row: Row, context: ObjectContext): ObjectPlan {
  const below = { ...context, above: [...context.above, row] };
  const identity = identityMembers(row, context);
  const attributes = node.properties.flatMap((property): MemberPlan[] =>
    property.attribute.name === 'id' && isKey(row.entity, property.attribute)
      ? []
      : [{ name: property.attribute.name, value: planProperty(property, row, '', below) }],
  );
  const dynamic = planDynamic(node, row, context, planObject);
  const selected = memberFacts(node, row, context);
  const cycles = cyclesOf(row, context);
  const policies = hiddenPolicies(node, row, below);
  const policy = policyMember(policies);
  const { token, members: hiding } = planToken(node, row, below, (source) =>
    planId(source, { ...context, tokens: false }),
  );
  return {
    members: [
      ...identity,
      ...attributes,
      ...dynamic,
      ...selected,
      ...inputsMember(node, row, below),
      ...policy,
      ...hiding,
    ],
    cycles,
    short: cycles.length === 0 ? [] : [...identity, ...policy],
    policies: policies.map(({ plan }) => plan),
    token,
  };
}

const nameOf = ({ declaredBy, name }: Attribute): string => `${declaredBy}.${name}`;

const isLong = ({ datatype, length }: DatatypeAttribute): boolean =>
  datatype === 'byteArray' || datatype === 'json' || (familyOf(datatype) === 'text' && length === undefined);

const isKey = (entity: Entity, attribute: Attribute): boolean => entity.key?.attribute === attribute.name;

function identityMembers(row: Row, context: ObjectContext): readonly MemberPlan[] {
  const discriminator = row.discriminator();
  const { name, recipe } = planName(row, context);
  return [
    {
      name: '_entityName',
      value:
        discriminator === undefined
          ? { kind: 'constant', text: row.entity.name }
          : { kind: 'column', column: discriminator, format: { kind: 'text' } },
    },
    { name: '_instanceName', value: { kind: 'name', name, recipe } },
    ...(row.entity.key === undefined ? [] : [{ name: 'id', value: planId(row, context) }]),
  ];
}

/** The id: a number for integer keys, an object for composite ones, else a string (contract/decisions.md#7). */
function planId(row: Row, { model, tokens }: Pick<ObjectContext, 'model' | 'tokens'>): ValuePlan {
  const parts = keyPartsOf(model, row.entity);
  const columns = row.keyColumns();
  const members = parts.map(({ name, type }, at): MemberPlan => {
    const column = columns[at];
    if (column === undefined) throw new Error(`The key of ${row.entity.name} has no column for ${name}`);
    return { name, value: { kind: 'column', column, format: type } };
  });
  if (hasCompositeKey(row.entity)) {
    const key = row.entity.attributes.get(row.entity.key?.attribute ?? '');
    const token = tokens && key?.kind === 'embedded' ? { entity: key.target, references: [] } : undefined;
    return { kind: 'object', object: { members, cycles: [], short: [], policies: [], token }, presentWhen: undefined };
  }
  const [only] = members;
  if (only?.value.kind !== 'column') throw new Error(`${row.entity.name} has no key`);
  return isTextId(only.value.format)
    ? { kind: 'column', column: only.value.column, format: { kind: 'text', of: only.value.format } }
    : only.value;
}

function isTextId(format: ColumnFormat): format is DatatypeType {
  if (format.kind !== 'datatype') return false;
  const family = familyOf(format.datatype satisfies Datatype);
  return family === 'decimal' || family === 'floating';
}

function planProperty(
  { attribute, node, members }: SecuredProperty,
  row: Row,
  prefix: string,
  context: ObjectContext,
): ValuePlan {
  if (!attribute.persistent) return { kind: 'computed', attribute };
  switch (attribute.kind) {
    case 'datatype':
      return {
        ...columnValue(row, attribute, prefix, formatOf(row, attribute, prefix, context)),
        ...(isLong(attribute) ? { isLong: true } : {}),
      };
    case 'enum':
      return columnValue(row, attribute, prefix, {
        kind: 'enum',
        enumeration: enumerationOf(context.model, attribute.enumName),
      });
    case 'elements': {
      const { from, where, value, position } = reachElements(row, attribute);
      const format = datatypeOf(attribute);
      return { kind: 'elements', name: nameOf(attribute), from, where, orderBy: position, value, format };
    }
    case 'embedded':
      return planEmbedded(attribute, node, row, embeddedPrefix(attribute, prefix), context);
    case 'reference': {
      if (node === undefined) throw new Error(`${attribute.declaredBy}.${attribute.name} has no node`);
      const { source } = reach(row, attribute, prefix, context.visibility);
      const object = planObject(node, source, context);
      if (isToOne(attribute)) return { kind: 'one', ...source.rows, object };
      const part = members === undefined ? { orderBy: source.keyColumns() } : planMemberPart(members, source, context);
      return { kind: 'many', name: nameOf(attribute), ...source.rows, ...part, object };
    }
    default:
      return attribute satisfies never;
  }
}

/** Of the key, the form of the id. */
function formatOf(row: Row, attribute: DatatypeAttribute, prefix: string, { model }: ObjectContext): ColumnFormat {
  const key = row.entity.attributes.get(row.entity.key?.attribute ?? '');
  const isPart =
    key?.kind === 'embedded'
      ? key.target === attribute.declaredBy && prefix === embeddedPrefix(key)
      : key === attribute;
  return (isPart ? keyTypeOf(model, attribute) : undefined) ?? datatypeOf(attribute);
}

function columnValue(row: Row, attribute: Attribute, prefix: string, format: ColumnFormat) {
  const [column] = row.columns(attribute, prefix);
  if (column === undefined) throw new Error(`${attribute.declaredBy}.${attribute.name} has no column`);
  return { kind: 'column', column, format } as const;
}

/** An embedded object has no identity; unless the model forbids it, it may be absent (contract/instances.md#values). */
function planEmbedded(
  attribute: EmbeddedAttribute,
  node: SecuredNode | undefined,
  row: Row,
  prefix: string,
  context: ObjectContext,
): ValuePlan {
  if (node === undefined) throw new Error(`An embedded attribute of ${row.entity.name} has no node`);
  const members = node.properties.map(
    (property): MemberPlan => ({
      name: property.attribute.name,
      value: planProperty(property, row, prefix, context),
    }),
  );
  const token = context.tokens ? { entity: node.entity.name, references: [] } : undefined;
  return {
    kind: 'object',
    object: { members, cycles: [], short: [], policies: [], token },
    presentWhen:
      attribute.mandatory || isKey(row.entity, attribute)
        ? undefined
        : nonNullColumns(context.model, node.entity, row, prefix, context.visibility),
  };
}

interface HiddenPolicy {
  readonly plan: PolicyPlan;
  readonly member: MemberPlan;
}

/** The inputs of row predicates: of the row itself, and of the table of the descendant of the predicate. */
function hiddenPolicies(node: SecuredNode, row: Row, context: ObjectContext): readonly HiddenPolicy[] {
  return (node.policy ?? []).map(({ predicates, node: read }): HiddenPolicy => {
    const { name } = read.entity;
    const below = read.entity === row.entity ? undefined : rejoinByKey(row, read.entity);
    const object = planPolicyObject(read, below ?? row, context, planObject);
    const value: ValuePlan =
      below === undefined ? { kind: 'object', object, presentWhen: undefined } : { kind: 'one', ...below.rows, object };
    return { plan: { entity: name, isOfDescendant: below !== undefined, predicates, object }, member: { name, value } };
  });
}

/** The member that the shape stage reads for predicates, and drops. */
function policyMember(policies: readonly HiddenPolicy[]): readonly MemberPlan[] {
  if (policies.length === 0) return [];
  const members = policies.map(({ member }) => member);
  return [
    {
      name: POLICY_MEMBER,
      value: { kind: 'object', object: { members, cycles: [], short: [], policies: [] }, presentWhen: undefined },
    },
  ];
}

/** The inputs of computed attributes. */
const inputsMember = (node: SecuredNode, row: Row, context: ObjectContext): readonly MemberPlan[] =>
  node.inputs === undefined
    ? []
    : [
        {
          name: INPUTS_MEMBER,
          value: {
            kind: 'object',
            object: planObject(node.inputs, row, { ...context, tokens: false, above: [], isWhole: true }),
            presentWhen: undefined,
          },
        },
      ];

/** Pairs of key columns with the rows above that may hold the same instance (contract/instances.md#object). */
function cyclesOf(row: Row, { model, above, isWhole }: ObjectContext): ObjectPlan['cycles'] {
  if (isWhole) return [];
  const rootOf = (entity: Entity): Entity | undefined => lineageOf(model, entity).at(-1);
  return above
    .filter((ancestor) => rootOf(ancestor.entity) === rootOf(row.entity))
    .map((ancestor) => {
      const others = ancestor.keyColumns();
      return row.keyColumns().map((own, at) => {
        const other = others[at];
        if (other === undefined) throw new Error(`The key of ${row.entity.name} differs in length`);
        return { own, above: other };
      });
    });
}
