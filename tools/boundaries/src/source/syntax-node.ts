/** A node of the syntax tree as a walker sees it; the shapes are those of TS-ESTree. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly [member: string]: unknown;
}

/** The node below `member`, if there is one. */
export function childOf(node: SyntaxNode, member: string): SyntaxNode | undefined {
  const child = node[member];
  return typeof child === 'object' && child !== null && !Array.isArray(child) ? (child as SyntaxNode) : undefined;
}

/** The nodes below `member`. */
export function childrenOf(node: SyntaxNode, member: string): readonly SyntaxNode[] {
  const children = node[member];
  return Array.isArray(children) ? (children.filter((child) => child !== null) as SyntaxNode[]) : [];
}

/** The name of an identifier, the text of a string, else `undefined`. */
export function textOf(node: SyntaxNode | undefined): string | undefined {
  if (node === undefined) return undefined;
  if (node.type === 'Identifier') return node['name'] as string;
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node.type === 'TemplateLiteral' && childrenOf(node, 'expressions').length === 0) {
    const [only] = childrenOf(node, 'quasis');
    return (only?.['value'] as { cooked?: string } | undefined)?.cooked;
  }
  return undefined;
}
