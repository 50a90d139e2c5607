import { type FormulaToken, tokenizeFormula } from './formula-tokens.ts';

const references = (formula: string): readonly string[] =>
  tokenizeFormula(formula).flatMap((token) =>
    token.kind === 'reference' ? [`${token.sheet === undefined ? '' : `${token.sheet} `}${token.text}`] : [],
  );

// Asserts contract/report-templates.md#xlsx.
test.each<[string, readonly string[]]>([
  ['A1+$B$2*C$3-$D4', ['A1', '$B$2', 'C$3', '$D4']],
  ['SUM(A1:B2)', ['A1:B2']],
  ['SUM($A:$B)+SUM(2:3)', ['$A:$B', '2:3']],
  ["Sheet1!A1+'My ''own'' sheet'!B2:C3", ['Sheet1 Sheet1!A1', "My 'own' sheet 'My ''own'' sheet'!B2:C3"]],
  ['IF(A1="B2","C3 ""D4""",E5)', ['A1', 'E5']],
  ['LOG10(A1)+ATAN2(B1,C1)', ['A1', 'B1', 'C1']],
  ['1E5+2.5e3*A1', ['A1']],
  ['rate+A1_x+x.A1+_A1', []],
  ["[1]Sheet1!A1+Sheet1:Sheet3!A1+'[b.xlsx]S'!A1+A1", ['A1']],
  ['Table1[Amount]+Table1[[#All],[A1]]+A1', ['A1']],
  ['XFD1048576+XFE1+A1048577+A0', ['XFD1048576']],
  ['INDEX(A1:A9,2):B7', ['A1:A9', 'B7']],
  ['#REF!+A1#', ['A1']],
  ['Größe!A1', ['Größe Größe!A1']],
])('the references of %s', (formula, expected) => {
  expect(references(formula)).toEqual(expected);
});

// Asserts contract/report-templates.md#xlsx.
test('a reference knows the function it stands in', () => {
  const inFunction = tokenizeFormula('SUM(A1,(B1))+ROUND(MAX(C1),2)*D1').flatMap((token: FormulaToken) =>
    token.kind === 'reference' ? [[token.text, token.inFunction]] : [],
  );
  expect(inFunction).toEqual([
    ['A1', 'SUM'],
    ['B1', 'SUM'],
    ['C1', 'MAX'],
    ['D1', undefined],
  ]);
});
