import { childOf, childrenOf, type SyntaxNode, textOf } from './syntax-node.ts';

/** Objects whose members reach beyond the program's values: the process, clock, randomness, console. */
const OBJECTS = new Set(['process', 'Date', 'Math', 'crypto', 'performance', 'console', 'Temporal']);

/** Functions that do I/O or wait for the clock. */
const FUNCTIONS = new Set(['fetch', 'setTimeout', 'setInterval', 'setImmediate', 'Date']);

/**
 * The uses of watched globals that `node` itself makes. There is no scope analysis: a local variable with the
 * name of a watched global counts as that global, and should have another name anyway.
 */
export function globalUseOf(node: SyntaxNode, parent: SyntaxNode | undefined): readonly string[] {
  switch (node.type) {
    case 'MemberExpression':
      // The longest chain says most; the shorter ones inside it are the same use.
      return parent?.type === 'MemberExpression' && childOf(parent, 'object') === node ? [] : memberUse(node);
    case 'NewExpression':
      return globalName(childOf(node, 'callee')) === 'Date' && childrenOf(node, 'arguments').length === 0
        ? ['new Date()']
        : [];
    case 'CallExpression':
      return callUse(node);
    case 'VariableDeclarator':
      return destructured(childOf(node, 'id'), globalName(childOf(node, 'init')));
    case 'Identifier':
      return isProcessValue(node, parent) ? ['process'] : [];
    default:
      return [];
  }
}

function memberUse(node: SyntaxNode): readonly string[] {
  const path = dottedPath(node);
  return path !== undefined && OBJECTS.has(path[0] ?? '') ? [path.join('.')] : [];
}

function callUse(node: SyntaxNode): readonly string[] {
  const name = globalName(childOf(node, 'callee'));
  return name !== undefined && FUNCTIONS.has(name) ? [`${name}()`] : [];
}

/** `const { now } = Date` uses `Date.now`. */
function destructured(pattern: SyntaxNode | undefined, object: string | undefined): readonly string[] {
  if (pattern?.type !== 'ObjectPattern' || object === undefined || !OBJECTS.has(object)) return [];
  return childrenOf(pattern, 'properties').map((property) => `${object}.${textOf(childOf(property, 'key')) ?? '*'}`);
}

/** `process` handed on whole, so that its members are read elsewhere. */
function isProcessValue(node: SyntaxNode, parent: SyntaxNode | undefined): boolean {
  if (node['name'] !== 'process') return false;
  switch (parent?.type) {
    case 'CallExpression':
    case 'NewExpression':
      return childrenOf(parent, 'arguments').includes(node);
    case 'VariableDeclarator':
      return childOf(parent, 'init') === node && childOf(parent, 'id')?.type !== 'ObjectPattern';
    case 'AssignmentExpression':
      return childOf(parent, 'right') === node;
    case 'ArrowFunctionExpression':
      return childOf(parent, 'body') === node;
    case 'ReturnStatement':
    case 'SpreadElement':
      return true;
    default:
      return false;
  }
}

/** The global that an expression names by itself. */
function globalName(node: SyntaxNode | undefined): string | undefined {
  const path = node && dottedPath(node);
  return path?.length === 1 ? path[0] : undefined;
}

/** `['process', 'env', 'HOME']` of `globalThis.process.env['HOME']`; `*` for a computed member. */
function dottedPath(node: SyntaxNode): string[] | undefined {
  const names: string[] = [];
  let at: SyntaxNode | undefined = node;
  while (at !== undefined) {
    if (at.type === 'MemberExpression') {
      const property = childOf(at, 'property');
      names.unshift((at['computed'] === true && property?.type === 'Identifier' ? undefined : textOf(property)) ?? '*');
      at = childOf(at, 'object');
    } else if (TRANSPARENT.has(at.type)) {
      at = childOf(at, 'expression');
    } else if (at.type === 'Identifier') {
      names.unshift(at['name'] as string);
      return names[0] === 'globalThis' || names[0] === 'global' ? names.slice(1) : names;
    } else return undefined;
  }
  return undefined;
}

/** Nodes around an expression that do not change what it names. */
const TRANSPARENT = new Set([
  'ChainExpression',
  'TSNonNullExpression',
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSTypeAssertion',
]);
