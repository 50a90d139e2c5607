import { PlatformError } from '@lintel/errors';
import {
  type DatatypeFamily,
  type Entity,
  entityOf,
  familyOf,
  isToMany,
  type Model,
  searchableOf,
  searchedReferencesOf,
} from '@lintel/metadata';
import type { ComparisonOperator, Condition, MembersCondition, OwnedBy } from '../ast/condition.ts';
import { type QueryLimits, UNLIMITED } from '../limits/query-limits.ts';
import { type LiteralType, typeNameOf } from '../literals/literal-type.ts';
import { SELF_NAME } from '../parse/language/node.ts';
import type { BoundCondition, BoundOwner, BoundPath, LeafTest, PathLeaf } from './bound-condition.ts';
import type { BoundExpression } from './language/bound-expression.ts';
import type { LanguageContext } from './language/context.ts';
import { resolveCondition as resolveLanguage } from './language/resolve-test.ts';
import { selfOf } from './language/self.ts';
import { isComparable, nameOfType, ofLiteral } from './language/value-types.ts';
import { resolveEmbedded } from './resolve-embedded.ts';
import { type PathErrors, resolvePath } from './resolve-path.ts';
import { namedEntityOf, parentPathOf } from './resolve-tree.ts';

const refuse = (details: string): PlatformError => new PlatformError('REQ_INVALID_FILTER', details);

const filterErrors = (entity: Entity): PathErrors => ({
  unknown: (path) => refuse(`Property for ${entity.name} not found: ${path}`),
  notStored: (path) => refuse(`Property ${path} of ${entity.name} is not stored`),
  allowsDynamic: true,
});

/**
 * Binds a condition to the model: checks 5 and 6 of contract/filters.md#checks. The values are checked when they are
 * bound to the statement.
 *
 * @param limits of a client's filter; policies have none
 * @throws PlatformError REQ_INVALID_FILTER; REQ_COST_EXCEEDED for a path that is too long
 */
export function resolveCondition(
  model: Model,
  entity: Entity,
  condition: Condition,
  limits: QueryLimits = UNLIMITED,
): BoundCondition {
  const errors = filterErrors(entity);
  const resolve = (node: Condition): BoundCondition => {
    switch (node.kind) {
      case 'constant':
        return node;
      case 'and':
      case 'or':
        return Object.freeze({ kind: node.kind, conditions: Object.freeze(node.conditions.map(resolve)) });
      case 'not':
        return Object.freeze({ kind: 'not', condition: resolve(node.condition) });
      case 'comparison':
      case 'text':
      case 'in':
      case 'tree':
      case 'null': {
        const path = resolvePath(model, entity, node.path, errors, limits);
        if (node.kind !== 'tree') checkOperator(operatorName(node), node, path.leaf);
        return Object.freeze({
          kind: 'test',
          path,
          test:
            node.kind === 'tree'
              ? treeTestOf(model, node, path)
              : testOf(node, path, (text) => resolvePath(model, entity, text, errors, limits)),
        });
      }
      case 'attributes': {
        const [left, right] = [node.path, node.other].map((text) =>
          attributeOf(resolvePath(model, entity, text, errors, limits)),
        ) as [BoundAttribute, BoundAttribute];
        return compareAttributes(model, node.operator, left, right);
      }
      case 'search':
        if (searchableOf(entity).length + searchedReferencesOf(entity).length === 0)
          throw new PlatformError(
            'REQ_INVALID_PARAMETER',
            `Parameter 'q': ${entity.name} has no searchable attributes`,
          );
        return Object.freeze({ ...node, entity });
      case 'members': {
        const path = resolvePath(model, entity, node.path, errors, limits);
        const target = memberEntityOf(path, node);
        const condition = node.condition && target && resolveCondition(model, target, node.condition, limits);
        return Object.freeze({ kind: 'members', path, quantifier: node.quantifier, condition });
      }
      case 'descendant': {
        const descendant = entityOf(model, node.entity);
        const condition = resolveCondition(model, descendant, node.condition);
        return Object.freeze({ kind: 'descendant', entity: descendant, condition });
      }
      case 'owned':
        return Object.freeze({ kind: 'owned', entity, by: node.by.map((one) => ownerOf(model, one)) });
      default:
        return resolveLanguage(node, policyContext(model, entity));
    }
  };
  return resolve(condition);
}

type BoundAttribute = Extract<BoundExpression, { kind: 'attribute' }>;

/** The value of an attribute that can be compared with that of another one. */
function attributeOf(path: BoundPath): BoundAttribute {
  const { text, root, steps, leaf } = path;
  if ([...steps, leaf].some(({ attribute }) => isToMany(attribute)))
    throw refuse(`${text} leads through a collection: 'some' compares attributes of one member`);
  const access = { kind: 'attribute', variable: selfOf(root), treated: undefined, path } as const;
  if (leaf.kind === 'reference') return { ...access, type: { kind: 'entity', entity: leaf.target } };
  const isPlain =
    leaf.kind === 'value' && (leaf.type.kind === 'enum' || (leaf.type.comparedAs === undefined && !isJson(leaf.type)));
  if (!isPlain) throw refuse(`${text} has no single value that is compared with another attribute`);
  return { ...access, type: ofLiteral(leaf.type) };
}

function compareAttributes(
  model: Model,
  operator: ComparisonOperator,
  left: BoundAttribute,
  right: BoundAttribute,
): BoundCondition {
  const [one, other] = [left, right].map(({ path, type }) => `${path.text} (${nameOfType(type)})`);
  if (!isComparable(model, left.type, right.type)) throw refuse(`${one} and ${other} cannot be compared`);
  checkOperator(operator, { kind: 'comparison', operator }, left.path.leaf);
  return Object.freeze({ kind: 'relation', left, operator, right, quantifier: undefined });
}

/** The entity of the members of a collection; undefined for values. */
function memberEntityOf({ text, steps, leaf }: BoundPath, { quantifier, condition }: MembersCondition) {
  if (steps.some(({ attribute }) => isToMany(attribute)))
    throw refuse(`${text} leads through a collection: the condition of a collection can contain that of another one`);
  if (leaf.kind === 'reference' && isToMany(leaf.attribute)) return leaf.target;
  if (leaf.kind !== 'elements' || leaf.dynamic !== undefined)
    throw refuse(`${text} is no collection of instances, which ${quantifier.kind} asks for`);
  if (condition !== undefined) throw refuse(`The elements of ${text} are values, which have no attributes`);
  return undefined;
}

function ownerOf(model: Model, { owner: name, attribute: link, rows }: OwnedBy): BoundOwner {
  const owner = entityOf(model, name);
  const attribute = owner.attributes.get(link);
  if (attribute?.kind !== 'reference') throw new Error(`${name}.${link} is no composition`);
  return { owner, attribute, rows: rows === undefined ? undefined : resolveCondition(model, owner, rows) };
}

/** In a policy, `{E}` is the instance; its parameters are the caller's. */
function policyContext(model: Model, entity: Entity): LanguageContext {
  const self = selfOf(entity);
  return {
    model,
    scope: { variables: new Map([[SELF_NAME, self]]), outer: undefined },
    self,
    parameters: undefined,
    used: new Set(),
    noAggregates: 'in a condition on single rows: use a subquery',
  };
}

type Test = Exclude<Extract<Condition, { path: string }>, { kind: 'members' | 'attributes' | 'tree' }>;

function treeTestOf(
  model: Model,
  { operator, value, depth }: Extract<Condition, { kind: 'tree' }>,
  { leaf }: BoundPath,
): LeafTest {
  const entity = namedEntityOf(leaf);
  const parent = entity && parentPathOf(model, entity);
  if (parent === undefined) throw unavailable(operator, typeOfLeaf(leaf));
  return { kind: 'tree', operator, value, parent, ...(depth === undefined ? {} : { depth }) };
}

const typeOfLeaf = (leaf: PathLeaf): string =>
  leaf.kind === 'reference' || leaf.kind === 'embedded' ? leaf.target.name : typeNameOf(leaf.type);

const unavailable = (operator: string, typeName: string): PlatformError =>
  refuse(`Operator ${operator} is not available for java type ${typeName}`);

function operatorName(node: Test): string {
  if (node.kind === 'in') return node.negated ? 'notIn' : 'in';
  if (node.kind === 'null') return node.negated ? 'notEmpty' : 'isNull';
  return node.operator;
}

function testOf(node: Test, path: BoundPath, resolve: (path: string) => BoundPath): LeafTest {
  if ((node.kind === 'comparison' || node.kind === 'in') && path.leaf.kind === 'embedded' && !isKey(path.leaf))
    return resolveEmbedded(node, path, resolve);
  switch (node.kind) {
    case 'comparison':
      return { kind: 'comparison', operator: node.operator, value: node.value };
    case 'text':
      return { kind: 'text', operator: node.operator, value: node.value };
    case 'in':
      return { kind: 'in', negated: node.negated, values: node.values };
    case 'null':
      return { kind: 'null', negated: node.negated };
    default:
      return node satisfies never;
  }
}

/** The operators of each type: contract/filters.md#filters, #types, contract/decisions.md#2, #48. */
function checkOperator(
  operator: string,
  node: Pick<Test, 'kind'> & { readonly operator?: string },
  leaf: PathLeaf,
): void {
  if (node.kind === 'null') return;
  const isOrdering = node.kind === 'comparison' && node.operator !== '=' && node.operator !== '<>';
  const target = leaf.kind === 'elements' ? leaf.dynamic?.target : leaf.kind === 'value' ? undefined : leaf.target;
  if (target !== undefined) {
    if (node.kind === 'text' || isOrdering) throw unavailable(operator, target.name);
    return;
  }
  if (leaf.kind === 'reference' || leaf.kind === 'embedded') return;
  if (node.kind === 'text' && !hasText(leaf.type)) throw unavailable(operator, typeNameOf(leaf.type));
  if (isOrdering && !hasOrder(leaf.type)) throw unavailable(operator, typeNameOf(leaf.type));
}

const isKey = ({ owner, attribute }: PathLeaf): boolean => owner.key?.attribute === attribute.name;

function hasText(type: LiteralType): boolean {
  return (
    type.kind === 'datatype' && (type.datatype === 'string' || type.datatype === 'uuid' || type.datatype === 'json')
  );
}

const isJson = (type: LiteralType): boolean => type.kind === 'datatype' && type.datatype === 'json';

/** Values of a JSON attribute are ordered among those of the same JSON type. */
const ORDERED_FAMILIES: ReadonlySet<DatatypeFamily> = new Set(['integer', 'floating', 'decimal', 'temporal', 'json']);

function hasOrder(type: LiteralType): boolean {
  if (type.kind === 'enum') return false;
  if (type.comparedAs !== undefined) return type.comparedAs !== 'text';
  const family = familyOf(type.datatype);
  return ORDERED_FAMILIES.has(family);
}
