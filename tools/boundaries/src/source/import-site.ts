import type { ImportStatement } from './source-file.ts';
import { childOf, childrenOf, type SyntaxNode, textOf } from './syntax-node.ts';

export type ImportSite = Omit<ImportStatement, 'line'>;

/** What a node imports: statements, re-exports, `import()`, `require()`, `import.meta.resolve()`, types by path. */
export function importOf(node: SyntaxNode): ImportSite | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
      return statementSite(node, 'importKind', (specifier) =>
        specifier.type === 'ImportSpecifier'
          ? textOf(childOf(specifier, 'imported'))
          : specifier.type === 'ImportDefaultSpecifier'
            ? 'default'
            : '*',
      );
    case 'ExportNamedDeclaration':
      return childOf(node, 'source') && statementSite(node, 'exportKind', (one) => textOf(childOf(one, 'local')));
    case 'ExportAllDeclaration':
      return { ...computedSite(childOf(node, 'source')), isTypeOnly: node['exportKind'] === 'type' };
    case 'ImportExpression':
      return computedSite(childOf(node, 'source'));
    case 'TSImportType':
      return { ...computedSite(childOf(node, 'source')), isTypeOnly: true };
    case 'TSExternalModuleReference':
      return computedSite(childOf(node, 'expression'));
    case 'CallExpression':
      return isRequire(childOf(node, 'callee')) ? computedSite(childrenOf(node, 'arguments')[0]) : undefined;
    default:
      return undefined;
  }
}

function statementSite(
  node: SyntaxNode,
  kindMember: 'importKind' | 'exportKind',
  nameOf: (specifier: SyntaxNode) => string | undefined,
): ImportSite {
  const specifiers = childrenOf(node, 'specifiers');
  const isTypeOnly =
    node[kindMember] === 'type' ||
    (specifiers.length > 0 && specifiers.every((specifier) => specifier[kindMember] === 'type'));
  const names = specifiers.map(nameOf).filter((name) => name !== undefined);
  return { specifier: textOf(childOf(node, 'source')), isTypeOnly, names };
}

/** A module taken whole, whose name may be computed. An identifier is a variable, not a name. */
const computedSite = (source: SyntaxNode | undefined): ImportSite => ({
  specifier: source?.type === 'Identifier' ? undefined : textOf(source),
  isTypeOnly: false,
  names: ['*'],
});

/** `require(…)`, `require.resolve(…)`, `import.meta.resolve(…)`. */
function isRequire(callee: SyntaxNode | undefined): boolean {
  if (callee?.type === 'Identifier') return callee['name'] === 'require';
  if (callee?.type !== 'MemberExpression') return false;
  const object = childOf(callee, 'object');
  const name = textOf(childOf(callee, 'property'));
  if (object?.type === 'MetaProperty') return name === 'resolve';
  return textOf(object) === 'require' && name === 'resolve';
}
