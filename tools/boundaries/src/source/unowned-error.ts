import { childOf, childrenOf, type SyntaxNode, textOf } from './syntax-node.ts';

/** Functions and methods that call back later and take no notice of a promise. */
const LATER = new Set(['setTimeout', 'setInterval', 'setImmediate', 'nextTick', 'queueMicrotask']);
const LISTEN = new Set(['on', 'once', 'addListener', 'prependListener', 'prependOnceListener']);

/**
 * What `node` itself does that leaves an error without an owner: a stream without a listener, a promise that nothing
 * waits for. Either ends the process when it fails.
 */
export function unownedErrorOf(node: SyntaxNode): string | undefined {
  if (node.type === 'NewExpression' && textOf(childOf(node, 'callee')) === 'PassThrough')
    return 'makes a PassThrough, which has no listener until it is read';
  if (node.type !== 'CallExpression') return undefined;
  const callee = childOf(node, 'callee');
  const isMember = callee?.type === 'MemberExpression';
  const name = textOf(isMember ? childOf(callee, 'property') : callee);
  const parameters = childrenOf(node, 'arguments');
  if (isMember && name === 'pipe' && parameters.length > 0) return 'calls pipe(), which passes no errors on';
  if (name !== undefined && LATER.has(name) && isAsync(parameters[0])) return `passes an async function to ${name}()`;
  if (isMember && name !== undefined && LISTEN.has(name) && isAsync(parameters[1]))
    return `passes an async function to ${name}()`;
  return undefined;
}

const isAsync = (node: SyntaxNode | undefined): boolean =>
  (node?.type === 'ArrowFunctionExpression' || node?.type === 'FunctionExpression') && node['async'] === true;
