import { suggestion } from '@lintel/errors';
import { type Entity, entityOf, familyTreeOf, isToMany } from '@lintel/metadata';
import type { PathExpression, SourcePosition, TreatExpression } from '../../ast/expression.ts';
import type { BoundPath } from '../bound-condition.ts';
import { resolvePath } from '../resolve-path.ts';
import type { AttributeAccess, Variable } from './bound-expression.ts';
import { findVariable, type LanguageContext, languageError, visibleVariables } from './context.ts';

/**
 * The variable that a path begins with.
 *
 * @throws QuerySyntaxError naming the variables there are
 */
export function variableOf(path: PathExpression, context: LanguageContext): Variable {
  const [name = ''] = path.names;
  const variable = findVariable(context.scope, name);
  if (variable !== undefined) return variable;
  const known = visibleVariables(context.scope);
  throw languageError(
    `Unknown variable ${name}: expected ${known.join(', ')}${suggestion(name, known)}`,
    path.position,
  );
}

/**
 * Binds the names after a variable. Only the last name may be a collection: its members have no single value.
 *
 * @throws QuerySyntaxError naming the attribute that does not exist or cannot be passed
 */
export function bindPath(
  root: Entity,
  names: readonly string[],
  position: SourcePosition,
  { model }: LanguageContext,
): BoundPath {
  const text = names.join('.');
  const path = resolvePath(model, root, text, {
    unknown: () => languageError(unknownAttribute(root, names, { model }), position),
    notStored: () => languageError(`${root.name}.${text} is not stored`, position),
  });
  if (path.leaf.kind === 'value' && path.leaf.inside !== undefined)
    throw languageError(
      `${path.leaf.owner.name}.${path.leaf.attribute.name} is a JSON attribute: queries and policies cannot follow it`,
      position,
    );
  const crossed = path.steps.find(({ attribute }) => isToMany(attribute));
  if (crossed !== undefined)
    throw languageError(
      `${crossed.owner.name}.${crossed.attribute.name} is a collection: join it, or use EXISTS, to reach its members`,
      position,
    );
  return path;
}

function unknownAttribute(root: Entity, names: readonly string[], { model }: Pick<LanguageContext, 'model'>): string {
  let owner = root;
  for (const name of names) {
    const attribute = owner.attributes.get(name);
    if (attribute === undefined || attribute.secret) {
      const known = [...owner.attributes.values()].filter(({ secret }) => !secret).map((known) => known.name);
      return `${owner.name} has no attribute ${name}${suggestion(name, known)}`;
    }
    if (attribute.kind !== 'reference' && attribute.kind !== 'embedded')
      return `${owner.name}.${name} is no reference: nothing can follow it`;
    owner = entityOf(model, attribute.target);
  }
  return `${root.name} has no attribute ${names.join('.')}`;
}

/** The access `variable.a.b`. */
export function accessOfPath(path: PathExpression, context: LanguageContext): AttributeAccess {
  const variable = variableOf(path, context);
  return { variable, treated: undefined, path: bindPath(variable.entity, path.names.slice(1), path.position, context) };
}

/** The access `treat(variable.a as Entity).b`. */
export function accessOfTreat(treat: TreatExpression, context: LanguageContext): AttributeAccess {
  const variable = variableOf(treat.path, context);
  const names = treat.path.names.slice(1);
  const path = names.length === 0 ? undefined : toOnePath(variable, names, treat.path.position, context);
  const from = path === undefined ? variable.entity : targetOf(path);
  const entity = descendantNamed(treat.entity, from, treat.position, context);
  if (treat.names.length === 0) throw languageError('Expected an attribute after TREAT(…)', treat.position);
  return { variable, treated: { path, entity }, path: bindPath(entity, treat.names, treat.position, context) };
}

/** A path that ends at one instance. */
export function toOnePath(
  variable: Variable,
  names: readonly string[],
  position: SourcePosition,
  context: LanguageContext,
): BoundPath {
  const path = bindPath(variable.entity, names, position, context);
  if (path.leaf.kind !== 'reference' || isToMany(path.leaf.attribute))
    throw languageError(`${variable.entity.name}.${path.text} is no reference to one instance`, position);
  return path;
}

const targetOf = ({ leaf, text }: BoundPath): Entity => {
  if (leaf.kind !== 'reference') throw new Error(`${text} is no reference`);
  return leaf.target;
};

/** The entity of that name, if it is a descendant of the other one (or itself). */
export function descendantNamed(
  name: string,
  of: Entity,
  position: SourcePosition,
  { model }: LanguageContext,
): Entity {
  const family = familyTreeOf(model, of);
  const found = family.find((entity) => entity.name === name);
  if (found === undefined)
    throw languageError(
      `${name} is no descendant of ${of.name}: expected ${family.map((one) => one.name).join(', ')}`,
      position,
    );
  return found;
}
