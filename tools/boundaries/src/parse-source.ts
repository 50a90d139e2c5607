import { parseSync, visitorKeys } from 'oxc-parser';
import { globalUseOf } from './global-use.ts';
import { type ImportSite, importOf } from './import-site.ts';
import type { GlobalUse, ImportStatement } from './source-file.ts';
import type { SyntaxNode } from './syntax-node.ts';

export interface ParsedSource {
  readonly imports: readonly ImportStatement[];
  readonly globalUses: readonly GlobalUse[];
  readonly error: { readonly line: number; readonly message: string } | undefined;
}

/** What a source imports and which globals it uses. A source with a syntax error has an `error` and nothing else. */
export function parseSource(path: string, text: string): ParsedSource {
  const { program, errors } = parseSync(path, text, { preserveParens: false });
  const lineAt = createLineFinder(text);
  const [error] = errors;
  if (error !== undefined)
    return {
      imports: [],
      globalUses: [],
      error: { line: lineAt(error.labels[0]?.start ?? 0), message: error.message },
    };
  const imports: ImportStatement[] = [];
  const globalUses: GlobalUse[] = [];
  const visit = (node: SyntaxNode, parent: SyntaxNode | undefined): void => {
    const site: ImportSite | undefined = importOf(node);
    if (site !== undefined) imports.push({ line: lineAt(node.start), ...site });
    for (const used of globalUseOf(node, parent)) globalUses.push({ line: lineAt(node.start), path: used });
    for (const key of visitorKeys[node.type] ?? []) {
      const child = node[key];
      if (Array.isArray(child)) {
        for (const item of child) if (item) visit(item as SyntaxNode, node);
      } else if (child) visit(child as SyntaxNode, node);
    }
  };
  visit(program as unknown as SyntaxNode, undefined);
  return { imports, globalUses, error: undefined };
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
