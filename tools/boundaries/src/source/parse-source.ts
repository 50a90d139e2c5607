import { parseSync, visitorKeys } from 'oxc-parser';
import { constructedBy, declaredBy } from './construction.ts';
import { declaredNamesOf } from './declared-names.ts';
import { globalUseOf } from './global-use.ts';
import { type ImportSite, importOf } from './import-site.ts';
import type { Construction, GlobalUse, ImportStatement, SourceFile, UnownedError } from './source-file.ts';
import { childrenOf, type SyntaxNode } from './syntax-node.ts';
import { unownedErrorOf } from './unowned-error.ts';

export interface ParsedSource extends Omit<SourceFile, 'path' | 'packageFolder' | 'isTest'> {
  readonly error: { readonly line: number; readonly message: string } | undefined;
}

/** What a source imports, uses, constructs and declares. A source with a syntax error has an `error` and nothing else. */
export function parseSource(path: string, text: string): ParsedSource {
  const { program, errors, comments } = parseSync(path, text, { preserveParens: false });
  const lineAt = createLineFinder(text);
  const [error] = errors;
  if (error !== undefined)
    return {
      imports: [],
      globalUses: [],
      unownedErrors: [],
      constructions: [],
      declaredNames: new Map(),
      comments: [],
      error: { line: lineAt(error.labels[0]?.start ?? 0), message: error.message },
    };
  const imports: ImportStatement[] = [];
  const globalUses: GlobalUse[] = [];
  const unownedErrors: UnownedError[] = [];
  const constructions: Construction[] = [];
  const declaredNames = new Map<string, number>();
  let within: string | undefined;
  const visit = (node: SyntaxNode, parent: SyntaxNode | undefined): void => {
    const site: ImportSite | undefined = importOf(node);
    if (site !== undefined) imports.push({ line: lineAt(node.start), ...site });
    for (const used of globalUseOf(node, parent)) globalUses.push({ line: lineAt(node.start), path: used });
    const what = unownedErrorOf(node);
    if (what !== undefined) unownedErrors.push({ line: lineAt(node.start), what });
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
  for (const statement of childrenOf(root, 'body')) {
    within = declaredBy(statement);
    visit(statement, root);
  }
  return {
    imports,
    globalUses,
    unownedErrors,
    constructions,
    declaredNames,
    comments: comments.map(({ start, value }) => ({ line: lineAt(start), text: value })),
    error: undefined,
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
