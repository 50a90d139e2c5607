import { childOf, childrenOf, type SyntaxNode, textOf } from './syntax-node.ts';

/** The class that a node makes an instance or a subclass of. */
export function constructedBy(node: SyntaxNode): string | undefined {
  if (node.type === 'NewExpression') return textOf(childOf(node, 'callee'));
  if (node.type === 'ClassDeclaration' || node.type === 'ClassExpression') return textOf(childOf(node, 'superClass'));
  return undefined;
}

/** The name that a statement of a module declares: that of a function, a class or a single variable. */
export function declaredBy(statement: SyntaxNode): string | undefined {
  const declaration = childOf(statement, 'declaration') ?? statement;
  const variables = childrenOf(declaration, 'declarations');
  return textOf(childOf(variables.length === 1 && variables[0] !== undefined ? variables[0] : declaration, 'id'));
}
