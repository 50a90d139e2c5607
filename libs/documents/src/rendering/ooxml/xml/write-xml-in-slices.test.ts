import { setImmediate } from 'node:timers/promises';
import { cases, fc } from '@lintel/testkit/properties';
import { DOMParser, type Document } from '@xmldom/xmldom';
import { writeXmlInSlices } from './write-xml-in-slices.ts';
import { elementsIn, rootOf, setChildren, writeXml } from './xml.ts';

const text = (part: Uint8Array): string => new TextDecoder().decode(part);
const parsed = (xml: string): Document => new DOMParser().parseFromString(xml, 'text/xml');

const NAMES = fc.constantFrom('a', 'w:p', 'x:y', 'r:id');
const NAMESPACE = fc.constantFrom('urn:w', 'urn:x', 'urn:other', 'urn:d', '');
/** What runs do to documents: elements and attributes of namespaces that may not be declared where they are added. */
const step = fc.record({
  name: NAMES,
  namespace: NAMESPACE,
  attribute: fc.option(fc.tuple(NAMES, NAMESPACE, fc.constantFrom('', 'v "<&>', 'a\tb\nc\r'))),
  leaf: fc.constantFrom('none', 'text', 'cdata', 'comment', 'instruction'),
  isDeeper: fc.boolean(),
});

function built(steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[]): Document {
  const document = parsed(
    '<w:r xmlns:w="urn:w" xmlns="urn:d" xmlns:x="urn:x"><a xmlns="" xmlns:w="urn:x"><w:b/></a></w:r>',
  );
  let parent = rootOf(document);
  for (const { name, namespace, attribute, leaf, isDeeper } of steps) {
    const element = document.createElementNS(namespace === '' && name.includes(':') ? 'urn:w' : namespace, name);
    if (attribute !== null) {
      const [qualified, uri, value] = attribute;
      element.setAttributeNS(qualified.includes(':') ? uri || 'urn:x' : '', qualified, value);
    }
    if (leaf === 'text') element.appendChild(document.createTextNode('a < b & c > "d" ]]>'));
    if (leaf === 'cdata') element.appendChild(document.createCDATASection('x <y>'));
    if (leaf === 'comment') element.appendChild(document.createComment(' c '));
    if (leaf === 'instruction') element.appendChild(document.createProcessingInstruction('go', 'now'));
    parent.appendChild(element);
    if (isDeeper) parent = element;
  }
  return document;
}

test('a part that is written in slices has the bytes of one that is written at once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const document = built(steps);
      expect(text(await writeXmlInSlices(document))).toBe(text(writeXml(document)));
    }),
    cases(300),
  );
});

test('other work goes on while a large part is written', async () => {
  const document = parsed(`<a>${'<b c="1">text</b>'.repeat(60_000)}</a>`);
  let rounds = 0;
  let isDone = false;
  const counting = (async () => {
    for (; !isDone; rounds += 1) await setImmediate();
  })();
  const bytes = await writeXmlInSlices(document);
  isDone = true;
  await counting;
  expect(bytes.length).toBeGreaterThan(1_000_000);
  expect(rounds).toBeGreaterThanOrEqual(15);
});

test('children are replaced at once', () => {
  const document = parsed('<a><b/>text<c/></a>');
  const root = rootOf(document);
  const [b, words, c] = [...root.childNodes];
  if (b === undefined || words === undefined || c === undefined) throw new Error('There are three children');
  setChildren(root, [c, document.createElement('d'), b]);
  expect(text(writeXml(document))).toContain('<a><c/><d/><b/></a>');
  expect([...root.childNodes].map(({ nodeName }) => nodeName)).toEqual(['c', 'd', 'b']);
  expect([words.parentNode, elementsIn(root)]).toEqual([null, 4]);
});
