import { childrenOf, type SyntaxNode } from './syntax-node.ts';

const FUNCTIONS = new Set(['ArrowFunctionExpression', 'FunctionDeclaration', 'FunctionExpression']);
const CALLS = new Set(['CallExpression', 'NewExpression']);
const MAX_PARAMETERS = 5;
/** A second argument is read together with the name of the function. */
const MAX_ARGUMENTS_WITH_BOOLEAN = 2;

/** Describes parameters or arguments of `node` whose meaning depends on their position alone. */
export function positionalOf(node: SyntaxNode): string | undefined {
  if (FUNCTIONS.has(node.type)) {
    const { length } = childrenOf(node, 'params');
    return length > MAX_PARAMETERS ? `has ${length} positional parameters` : undefined;
  }
  const given = CALLS.has(node.type) ? childrenOf(node, 'arguments') : [];
  return given.length > MAX_ARGUMENTS_WITH_BOOLEAN && given.some(isBoolean)
    ? `passes a bare boolean as one of ${given.length} arguments`
    : undefined;
}

const isBoolean = ({ type, value }: SyntaxNode): boolean => type === 'Literal' && typeof value === 'boolean';
