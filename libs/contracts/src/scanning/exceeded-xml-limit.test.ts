import { cases, fc } from '@lintel/testkit/properties';
import { exceededXmlLimit, type XmlLimits } from './exceeded-xml-limit.ts';
import { xmlTokensOf } from './xml-tokens.ts';

const LIMITS: XmlLimits = {
  characters: 4_000,
  elements: 20,
  depth: 4,
  attributes: 3,
  namespaces: 3,
  tokenCharacters: 1_000,
  acceptsSections: true,
};
const nested = (count: number, tag = '<a>'): string => `${tag.repeat(count)}${'</a>'.repeat(count)}`;

test.each<[string, Partial<XmlLimits>, string | undefined]>([
  [`<?xml version="1.0"?><!-- a --><a b="1" c='>'>text<![CDATA[<d>]]><e/></a>`, {}, undefined],
  ['<a/>'.repeat(20), {}, undefined],
  ['<a/>'.repeat(21), {}, 'more than 20 elements'],
  [nested(4), {}, undefined],
  [nested(4).repeat(5), {}, undefined],
  [nested(5), {}, 'more than 4 elements in each other'],
  ['<a b="" c="" d=""/>', {}, undefined],
  ['<a b="" c="" d="" e=""/>', {}, 'a tag of more than 3 attributes'],
  ['<a b="" c="" d="/>', {}, undefined],
  [`${nested(3, '<a xmlns:b="c">')}<a xmlns="d"/>`, {}, undefined],
  [nested(4, '<a xmlns:b="c">'), {}, 'more than 3 namespaces'],
  ['<a\nxmlns:b="c"\txmlns="d" b="xmlns:e"/>'.repeat(3), {}, undefined],
  ['a'.repeat(4_001), {}, 'more than 4000 characters'],
  ['a'.repeat(1_001), {}, 'a text or tag of more than 1000 characters'],
  ['<!-- <!doctype a> --><a/>', {}, 'a document type declaration'],
  ['<a b="<!ENTITY"/>', {}, 'a document type declaration'],
  ['<!ELEMENT a ANY><a/>', {}, 'a declaration'],
  ['<a><!-- b --></a>', { acceptsSections: false }, 'a comment or CDATA section'],
  ['<a><![CDATA[b]]></a>', { acceptsSections: false }, 'a comment or CDATA section'],
  // What an unclosed quote contains counts, since parsers end it differently.
  [`<a b="${'<c/>'.repeat(20)}"/>`, {}, 'more than 20 elements'],
])('%.60s', (text, limits, exceeded) => {
  expect(exceededXmlLimit(text, { ...LIMITS, ...limits })).toBe(exceeded);
});

test('the tokens of any text are the text, and each tag has one <', () => {
  const piece = fc.constantFrom('<', '>', '/', '"', "'", '<!--', '-->', '<![CDATA[', ']]>', '<?', '?>', 'a', ' ', '=');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join('');
      const tokens = [...xmlTokensOf(text)];
      expect(tokens.map(({ begin, end }) => text.slice(begin, end)).join('')).toBe(text);
      for (const { kind, begin, end } of tokens)
        if (['start', 'empty', 'end'].includes(kind)) expect(text.slice(begin + 1, end)).not.toContain('<');
    }),
    cases(1_000),
  );
});
