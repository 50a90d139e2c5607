import { parseSync, visitorKeys } from 'oxc-parser';
import { declaredNamesOf } from './declared-names.ts';
import { globalUseOf } from './global-use.ts';
import { type ImportSite, importOf } from './import-site.ts';
import { positionalOf } from './positional.ts';
import type { Construction, GlobalUse, ImportStatement, Sighting, SourceFile } from './source-file.ts';
import { childOf, childrenOf, type SyntaxNode, textOf } from './syntax-node.ts';

export interface ParsedSource extends Omit<SourceFile, 'path' | 'packageFolder' | 'isTest'> {
  readonly error: { readonly line: number; readonly message: string } | undefined;
}

/** What a source imports, uses, constructs and declares. A source with a syntax error has an `error` and nothing else. */
export function parseSource(path: string, text: string): ParsedSource {
  const { program, errors, comments } = parseSync(path, text, { preserveParens: false });
  const lineAt = createLineFinder(text);
  const [error] = errors;
  const imports: ImportStatement[] = [];
  const globalUses: GlobalUse[] = [];
  const unownedErrors: Sighting[] = [];
  const positional: Sighting[] = [];
  const constructions: Construction[] = [];
  const declaredNames = new Map<string, number>();
  let within: string | undefined;
  const visit = (node: SyntaxNode, parent: SyntaxNode | undefined): void => {
    const site: ImportSite | undefined = importOf(node);
    if (site !== undefined) imports.push({ line: lineAt(node.start), ...site });
    for (const used of globalUseOf(node, parent)) globalUses.push({ line: lineAt(node.start), path: used });
    const what = unownedErrorOf(node);
    if (what !== undefined) unownedErrors.push({ line: lineAt(node.start), what });
    const position = positionalOf(node);
    if (position !== undefined) positional.push({ line: lineAt(node.start), what: position });
    const className = constructedBy(node);
    if (className !== undefined) constructions.push({ line: lineAt(node.start), className, within });
    for (const name of declaredNamesOf(node, parent))
      if (!declaredNames.has(name)) declaredNames.set(name, lineAt(node.start));
    for (const key of visitorKeys[node.type] ?? []) {
      const child = node[key];
      if (Array.isArray(child)) {
        for (const item of child) if (item) visit(item as SyntaxNode, node);
      } else if (child) visit(child as SyntaxNode, node);
    }
  };
  const root = program as unknown as SyntaxNode;
  for (const statement of error === undefined ? childrenOf(root, 'body') : []) {
    within = declaredBy(statement);
    visit(statement, root);
  }
  return {
    imports,
    globalUses,
    unownedErrors,
    positional,
    constructions,
    declaredNames,
    comments: error === undefined ? comments.map(({ start, value }) => ({ line: lineAt(start), text: value })) : [],
    error: error && { line: lineAt(error.labels[0]?.start ?? 0), message: error.message },
  };
}

/** From offset to 1-based line, for offsets that mostly grow. */
function createLineFinder(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}

/** The class that a node makes an instance or a subclass of. */
function constructedBy(node: SyntaxNode): string | undefined {
  if (node.type === 'NewExpression') return textOf(childOf(node, 'callee'));
  if (node.type === 'ClassDeclaration' || node.type === 'ClassExpression') return textOf(childOf(node, 'superClass'));
  return undefined;
}

/** The name that a statement of a module declares: that of a function, a class or a single variable. */
function declaredBy(statement: SyntaxNode): string | undefined {
  const declaration = childOf(statement, 'declaration') ?? statement;
  const variables = childrenOf(declaration, 'declarations');
  return textOf(childOf(variables.length === 1 && variables[0] !== undefined ? variables[0] : declaration, 'id'));
}

/** Functions and methods that call back later and take no notice of a promise. */
const LATER = new Set(['setTimeout', 'setInterval', 'setImmediate', 'nextTick', 'queueMicrotask']);
const LISTEN = new Set(['on', 'once', 'addListener', 'prependListener', 'prependOnceListener']);

/**
 * What `node` itself does that leaves an error without an owner: a stream without a listener, a promise that nothing
 * waits for. Either ends the process when it fails.
 */
function unownedErrorOf(node: SyntaxNode): string | undefined {
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
