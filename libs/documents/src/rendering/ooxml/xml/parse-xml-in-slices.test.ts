import { setImmediate } from 'node:timers/promises';
import { cases, fc } from '@lintel/testkit/properties';
import { parseXmlInSlices } from './parse-xml-in-slices.ts';
import { PART_LIMITS, parseXml, writeXml } from './xml.ts';
import { MAX_OPEN_CHARACTERS } from './xml-slices.ts';

const { attributes: MAX_ATTRIBUTES, elements: MAX_ELEMENTS, tokenCharacters: MAX_TOKEN_CHARACTERS } = PART_LIMITS;

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (part: Uint8Array): string => new TextDecoder().decode(part);
const inSlices = async (xml: string): Promise<string> => text(writeXml(await parseXmlInSlices(bytes(xml), 'p.xml')));
const atOnce = (xml: string): string => text(writeXml(parseXml(bytes(xml), 'p.xml')));

const leaf = fc.constantFrom(
  'text',
  ' ',
  '&lt;b&gt; &#233;&#x1F600;',
  '<!-- a < b > c </a> -->',
  '<![CDATA[<a>]]>',
  '<?go <a> ?>',
  '<b/>',
  '<w:b w:c="1 > 0" d=\'"/>\'/>',
  '<b c="&quot;"></b>',
);
const xml = fc
  .array(fc.tuple(fc.constantFrom('open', 'close', 'leaf'), leaf, fc.constantFrom('a', 'w:p', 'x:y')), {
    minLength: 1,
    maxLength: 60,
  })
  .map((steps) => {
    const open: string[] = [];
    let body = '';
    for (const [step, content, name] of steps) {
      if (step === 'open') {
        open.push(name);
        body += `<${name} w:z="${open.length}" xmlns:x="urn:x${open.length % 2}">`;
      } else if (step === 'close' && open.length > 0) body += `</${open.pop()}>`;
      else body += content.repeat(1 + (body.length % 7) * 40);
    }
    return `<?xml version="1.0"?>\n<!-- c --><w:r xmlns:w="urn:w" xmlns="urn:d">${body}${open
      .toReversed()
      .map((name) => `</${name}>`)
      .join('')}</w:r><!-- end -->`;
  });

test('a document of slices is the one that is parsed at once', async () => {
  await fc.assert(
    fc.asyncProperty(xml, async (source) => expect(await inSlices(source)).toBe(atOnce(source))),
    cases(200),
  );
});

test('elements of all slices belong to one document', async () => {
  const document = await parseXmlInSlices(bytes(`<a>${'<b><c/></b>'.repeat(3_000)}</a>`), 'p.xml');
  const all = [...document.getElementsByTagName('c')];
  expect([all.length, all.every(({ ownerDocument }) => ownerDocument === document)]).toEqual([3_000, true]);
});

test.each([
  ['<a><b></a>', /not well-formed/],
  [`<a>${'<b/>'.repeat(2_000)}</c>`, /not well-formed/],
  [`<a>${'<b/>'.repeat(2_000)}`, /not well-formed/],
  [`<a>${'<b/>'.repeat(2_000)}&unknown;</a>`, /not well-formed/],
  [`<a>${'<b/>'.repeat(2_000)}</a><a/>`, /not well-formed/],
  [`<a>${'<b/>'.repeat(2_000)}<c d="1" d="2"/></a>`, /not well-formed/],
  ['', /not well-formed/],
  ['<!DOCTYPE a><a/>', /p.xml has a document type declaration/],
  [`<a>${'x'.repeat(MAX_TOKEN_CHARACTERS + 1)}</a>`, /text or tag of more than 1048576 characters/],
  [`<a b="${'x'.repeat(MAX_TOKEN_CHARACTERS)}"/>`, /text or tag of more than 1048576 characters/],
  [`<a b="${'x'.repeat(MAX_OPEN_CHARACTERS)}">${'<b/>'.repeat(2_000)}</a>`, /start tags of more than 32768 characters/],
  [`<a ${'b="" '.repeat(MAX_ATTRIBUTES + 1)}/>`, /a tag of more than 256 attributes/],
  ['<a>'.repeat(90_000), /more than 500 elements in each other/],
  [`<a>${'<b/>'.repeat(MAX_ELEMENTS)}</a>`, /more than 100000 elements/],
])('refuses %.40s', async (source, message) => {
  await expect(parseXmlInSlices(bytes(source), 'p.xml')).rejects.toThrow(message);
});

test('other work goes on while a large part is parsed', async () => {
  let rounds = 0;
  let isDone = false;
  const counting = (async () => {
    for (; !isDone; rounds += 1) await setImmediate();
  })();
  await parseXmlInSlices(bytes(`<a>${'<b/>'.repeat(20_000)}</a>`), 'p.xml');
  isDone = true;
  await counting;
  expect(rounds).toBeGreaterThanOrEqual(40);
});
