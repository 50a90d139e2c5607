import type { Element } from '@xmldom/xmldom';
import type { OoxmlPackage } from '../../ooxml/ooxml-package.ts';
import { editPart } from '../../ooxml/xml/edit-part.ts';
import { Pauses } from '../../ooxml/xml/pauses.ts';
import { childOf, childrenOf, setChildren } from '../../ooxml/xml/xml.ts';
import { tokenizeFormula } from '../cells/formula-tokens.ts';
import { rewriteFormula } from '../placing/rewrite-formula.ts';
import { isReportName } from './read-names.ts';
import type { ResultContext } from './result-context.ts';
import { createElement } from './sheet-order.ts';

/** Edits the workbook: new names of sheets, no names of bands, other names moved, recalculation when it is opened. */
export function editWorkbook(parts: OoxmlPackage, workbookPart: string, context: ResultContext): Promise<Uint8Array> {
  return editPart(parts, workbookPart, async (root) => {
    childrenOf(childOf(root, 'sheets') ?? root, 'sheet').forEach((sheet, index) => {
      sheet.setAttribute('name', context.sheetNames[index] ?? '');
    });
    await editNames(root, context);
    calculateOnLoad(root);
  });
}

const PRINT_AREA = '_xlnm.Print_Area';

async function editNames(root: Element, context: ResultContext): Promise<void> {
  const { layout, sheetNames } = context;
  const { ranges, sheets } = layout.template;
  const names = childOf(root, 'definedNames');
  if (names === undefined) return;
  const kept: Element[] = [];
  const pauses = new Pauses();
  for (const element of childrenOf(names)) {
    if (pauses.isDue()) await pauses.take();
    if (isReportName(element.getAttribute('name') ?? '', ranges)) continue;
    kept.push(element);
    const sheet = sheets[Number(element.getAttribute('localSheetId') ?? -1)];
    const tokens = tokenizeFormula(element.textContent ?? '');
    const meaning = element.getAttribute('name') === PRINT_AREA ? 'page' : 'set';
    const location = { layout, sheet, from: undefined, sheetNames, meaning } as const;
    element.textContent = rewriteFormula(tokens, location) ?? element.textContent;
  }
  if (kept.length === 0) root.removeChild(names);
  else setChildren(names, kept);
}

/** Elements before `calcPr` (ECMA-376-1, 18.2.27). */
const BEFORE_CALCULATION = ['definedNames', 'externalReferences', 'functionGroups', 'sheets'];

function calculateOnLoad(root: Element): void {
  let properties = childOf(root, 'calcPr');
  if (properties === undefined) {
    properties = createElement(root, 'calcPr', {});
    const before = BEFORE_CALCULATION.map((name) => childOf(root, name)).find((element) => element !== undefined);
    root.insertBefore(properties, before?.nextSibling ?? null);
  }
  properties.setAttribute('calcMode', 'auto');
  properties.setAttribute('fullCalcOnLoad', '1');
}
