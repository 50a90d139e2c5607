import { childOf, childrenOf, type SyntaxNode } from './syntax-node.ts';

/** Nodes that declare the name in the member. */
const NAMED: Readonly<Record<string, string>> = {
  ClassDeclaration: 'id',
  ClassExpression: 'id',
  TSInterfaceDeclaration: 'id',
  TSTypeAliasDeclaration: 'id',
  TSEnumDeclaration: 'id',
  TSEnumMember: 'id',
  TSTypeParameter: 'name',
  TSNamedTupleMember: 'label',
};
/** Nodes whose `key` is a new name unless it is computed; of object patterns it is a reference. */
const KEYED = new Set([
  'PropertyDefinition',
  'MethodDefinition',
  'AccessorProperty',
  'TSAbstractPropertyDefinition',
  'TSAbstractMethodDefinition',
  'TSPropertySignature',
  'TSMethodSignature',
]);

/** The names that a node declares: variables, parameters, types, members and keys of objects. */
export function declaredNamesOf(node: SyntaxNode, parent: SyntaxNode | undefined): readonly string[] {
  const member = NAMED[node.type];
  if (member !== undefined) return nameOf(childOf(node, member));
  if (KEYED.has(node.type) || (node.type === 'Property' && parent?.type === 'ObjectExpression'))
    return [...(node['computed'] === true ? [] : nameOf(childOf(node, 'key'))), ...parametersOf(node)];
  if (node.type === 'VariableDeclarator') return namesIn(childOf(node, 'id'));
  if (node.type === 'CatchClause') return namesIn(childOf(node, 'param'));
  return [...nameOf(node.type.includes('Function') ? childOf(node, 'id') : undefined), ...parametersOf(node)];
}

const parametersOf = (node: SyntaxNode): readonly string[] => childrenOf(node, 'params').flatMap(namesIn);

/** The names that a pattern binds. */
function namesIn(pattern: SyntaxNode | undefined): readonly string[] {
  switch (pattern?.type) {
    case 'ObjectPattern':
      return childrenOf(pattern, 'properties').flatMap((one) => namesIn(childOf(one, 'value') ?? one));
    case 'ArrayPattern':
      return childrenOf(pattern, 'elements').flatMap(namesIn);
    case 'AssignmentPattern':
      return namesIn(childOf(pattern, 'left'));
    case 'RestElement':
      return namesIn(childOf(pattern, 'argument'));
    case 'TSParameterProperty':
      return namesIn(childOf(pattern, 'parameter'));
    default:
      return nameOf(pattern);
  }
}

const nameOf = (node: SyntaxNode | undefined): readonly string[] =>
  node?.type === 'Identifier' || node?.type === 'PrivateIdentifier' ? [node['name'] as string] : [];
