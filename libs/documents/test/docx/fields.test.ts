// biome-ignore-all lint/suspicious/noTemplateCurlyInString: aliases of report templates look like placeholders
import { bodyOf, docxOf, fillDocx, partsOf } from './docx-fixture.ts';

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const fieldChar = (type: string): string => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
const code = (text: string): string => `<w:r><w:instrText xml:space="preserve">${text}</w:instrText></w:r>`;
const shown = (text: string): string => `<w:r><w:t>${text}</w:t></w:r>`;
const field = (inner: string, result = shown('shown')): string =>
  `${fieldChar('begin')}${inner}${fieldChar('separate')}${result}${fieldChar('end')}`;
const inParagraph = (content: string): string => `<w:p>${content}</w:p>`;

const filled = async (content: string): Promise<string> =>
  bodyOf(await fillDocx(docxOf({ body: inParagraph(content) })));

// Asserts contract/report-templates.md#docx.
test.each([
  ['a command of another program', code(' DDEAUTO c:\\\\windows\\\\cmd.exe "/k calc" ')],
  ['a command in several runs', code('DDE') + code('AUTO c:\\\\x')],
  ['a command in small letters', code(' dde x y ')],
  ['a picture', code('INCLUDEPICTURE "http://evil.example/x.png" \\d')],
  ['a text', code('INCLUDETEXT "file://evil/x.docx"')],
  ['a linked object', code(' LINK Excel.Sheet.8 "\\\\\\\\evil\\\\x.xls" ')],
  ['a database', code(' DATABASE \\d "evil" ')],
  ['a code that another field makes', `${field(code('QUOTE 68 68 69'), shown(''))}${code(' x y')}`],
  ['a code with text of the document', `${shown('${Root.title}')}${code(' x y')}`],
])('a field that loads %s becomes what it shows', async (_, inner) => {
  const body = await filled(field(inner));
  expect(body).toContain('<w:t>shown</w:t>');
  expect(body).not.toMatch(/instrText> ?(?:DDE|x)|AUTO|evil|cmd/);
});

test('a simple field that loads something becomes what it shows', async () => {
  const body = await filled(
    `<w:fldSimple w:instr=" INCLUDEPICTURE &quot;http://evil.example/x&quot; ">${shown('${Root.title}')}</w:fldSimple>`,
  );
  expect(body).toBe(`<w:p>${shown('Prices &amp; &lt;more&gt;')}</w:p>`);
});

test('a field without an end loads nothing either', async () => {
  expect(await filled(`${fieldChar('begin')}${code('DDEAUTO x y')}`)).not.toContain('DDEAUTO');
});

// Asserts contract/report-templates.md#docx.
test.each([
  ['page numbers', code(' PAGE ')],
  ['conditions with other fields', `${code(' IF ')}${field(code(' MERGEFIELD a '))}${code(' = 1 "INCLUDETEXT" "b" ')}`],
  ['hyperlinks', code(' HYPERLINK "https://example.org" ')],
])('other fields stay: %s', async (_, inner) => {
  const content = field(inner);
  expect(await filled(content)).toBe(inParagraph(content));
});

// Asserts contract/report-templates.md#docx.
test('a content control with an alias loses its link to data of the document', async () => {
  const control = (text: string): string =>
    `<w:sdt><w:sdtPr><w:dataBinding w:xpath="/x" w:storeItemID="{1}"/><w:text/></w:sdtPr><w:sdtContent>${shown(text)}</w:sdtContent></w:sdt>`;
  const body = await filled(control('${Root.title}') + control('constant'));
  expect(body.match(/<w:dataBinding/g)).toHaveLength(1);
  expect(body).toMatch(/<w:sdtPr><w:text\/><\/w:sdtPr>.*Prices.*<w:dataBinding .*constant/);
});

test('headers, and fields around others, are treated alike', async () => {
  const header = `<w:hdr xmlns:w="${WORD}">${inParagraph(field(code('INCLUDETEXT x'), field(code(' PAGE '), shown('1'))))}</w:hdr>`;
  const document = await partsOf(await fillDocx(docxOf({ body: '<w:p/>', parts: { 'word/header1.xml': header } })));
  expect(document.get('word/header1.xml')).toContain(field(code(' PAGE '), shown('1')));
  expect(document.get('word/header1.xml')).not.toContain('INCLUDETEXT');
});
